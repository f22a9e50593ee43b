"""Where numbers of runs and of training go while they are made: TensorBoard, Weights & Biases, MLflow."""
