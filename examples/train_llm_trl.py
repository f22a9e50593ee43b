"""Train a language model on an environment with TRL's GRPOTrainer: python examples/train_llm_trl.py --help.

pip install "interactive-envs[trl]". Without --model it takes SmolLM2-135M-Instruct, whose weights come with
`ibench models get` (that needs `pip install gguf`); any folder or name that transformers loads will do.

It runs on a CPU, to see it run. With --steps 1 and one thread the whole program took 2.8 CPU minutes, most of them for
the step: one group of four, dialogues of 400 tokens after the prompt. On a busy machine the step's own
clock said 426 s. Allow some 7 GB. A model of this size does not find the format of the actions in a few steps; take a
larger one, a GPU, and more steps to see it learn.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from trl import GRPOConfig, GRPOTrainer

from interactive_envs.llm.weights import SMOLLM2
from interactive_envs.training.llm import trl


def embedded(folder: Path) -> Path:
    """SmolLM2 in the form that trainers take, written once.

    Its weights are packed in four bits. Transformers unpacks them and then still calls the model quantised, which the
    trainer refuses; so it is saved without saying so.
    """
    if not (folder / "config.json").exists():
        weights = SMOLLM2.path(next(iter(SMOLLM2.files)))
        kind: dict[str, Any] = {"gguf_file": weights.name}
        model = AutoModelForCausalLM.from_pretrained(weights.parent, dtype="float32", **kind)
        model.is_quantized, model.hf_quantizer = False, None
        if hasattr(model.config, "quantization_config"):
            del model.config.quantization_config
        AutoTokenizer.from_pretrained(weights.parent, **kind).save_pretrained(folder)
        model.save_pretrained(folder)
    return folder


def main() -> None:
    """Train, and print what each step paid."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="folder or name of a model; default: the embedded SmolLM2-135M-Instruct")
    parser.add_argument("--env", default="ibench/TrustGame-v1", help="id, default %(default)s")
    parser.add_argument(
        "--arguments",
        type=json.loads,
        default={"matches": 1, "max_rounds": 3},
        help="of the environment, as JSON, default %(default)s",
    )
    parser.add_argument("--tools", action="store_true", help="act by tool calls; the chat template must have them")
    parser.add_argument("--steps", type=int, default=2, help="default %(default)s")
    parser.add_argument("--group", type=int, default=4, help="rollouts of the same episode, default %(default)s")
    parser.add_argument("--tokens", type=int, default=400, help="of a dialogue after its prompt, default %(default)s")
    parser.add_argument("--learning-rate", type=float, default=1e-5, help="default %(default)s")
    parser.add_argument("--out", type=Path, default=Path("runs/trl"), help="folder, default %(default)s")
    given = parser.parse_args()

    name = given.model or embedded(given.out / "smollm2")
    model, tokenizer = AutoModelForCausalLM.from_pretrained(name), AutoTokenizer.from_pretrained(name)
    actions = "tools" if given.tools else "text"
    how: dict[str, Any] = (
        {"environment_factory": trl.environments(given.env, **given.arguments)}
        if given.tools
        else {"rollout_func": trl.PlainText(), "reward_funcs": trl.episode_reward}
    )
    trainer = GRPOTrainer(
        model,
        train_dataset=trl.dataset(given.env, 1000, actions=actions, **given.arguments),
        processing_class=tokenizer,
        args=GRPOConfig(
            output_dir=str(given.out),
            max_steps=given.steps,
            per_device_train_batch_size=given.group,
            num_generations=given.group,
            max_completion_length=given.tokens,
            learning_rate=given.learning_rate,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            use_cpu=not torch.cuda.is_available(),
            bf16=torch.cuda.is_available(),
        ),
        **how,
    )
    trainer.train()
    for step in trainer.state.log_history:
        if "reward" in step:
            print(f"step {step['step']}: reward {step['reward']:.3f}, {step['step_time']:.0f} s")
    trainer.save_model(str(given.out / "model"))
    tokenizer.save_pretrained(given.out / "model")


if __name__ == "__main__":
    main()
