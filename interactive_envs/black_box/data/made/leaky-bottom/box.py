def run(trace, k, x):
    stack = []
    for number in x:
        stack.append(number)
        if len(stack) > k:
            lowest = stack.pop(0)
            stack[-1] = stack[-1] + lowest
        trace(1, v=stack[0], w=stack[-1])
