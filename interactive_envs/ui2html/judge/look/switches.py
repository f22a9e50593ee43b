"""Whether switches are on."""

from __future__ import annotations

from interactive_envs.ui2html.judge.look.part import Part, measures
from interactive_envs.ui2html.judge.page.view import View


@measures("state")
def _state(part: Part) -> str | None:
    """Whether switches and boxes to tick are on: by attribute, by class, or by the side on which the knob lies."""
    states = [switched(part.view, i) for i in part.found]
    if not any(states):
        return None
    return states[0] if states.count(states[0]) == len(states) else "mixed"


def switched(view: View, index: int) -> str:
    """``on`` or ``off`` of one switch; empty where it cannot be seen."""
    node = view.nodes[index]
    attributes = dict(node.attributes)
    if "aria-checked" in attributes:
        return "on" if attributes["aria-checked"] == "true" else "off"
    if node.tag == "input":
        return "on" if "checked" in attributes else "off"
    names = view.names[index] & {"on", "off", "active", "checked"}
    if names:
        return "off" if "off" in names else "on"
    knobs = [view.nodes[i].box for i in view.inside(index)[1:] if view.shown[i] and not view.nodes[i].text]
    if not knobs or knobs[0].width > 0.8 * node.box.width:
        return ""
    return "on" if knobs[0].x + knobs[0].width / 2 > node.box.x + node.box.width / 2 else "off"
