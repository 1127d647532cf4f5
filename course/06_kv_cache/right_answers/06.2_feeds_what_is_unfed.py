# exercise: 06.2
# mechanism: one text, and the number of its tokens that were fed
class Decoder:
    def __call__(self, machine, prompt, count, stop):
        text, fed, box = list(prompt), 0, machine.new_box()
        for _ in range(count):
            logits = machine.step(box, text[fed:])
            fed = len(text)
            text.append(max(range(len(logits)), key=logits.__getitem__))
            if text[-1] == stop:
                break
        return tuple(text[len(prompt):])


decode = Decoder()
