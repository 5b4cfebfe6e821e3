"""What event files hold, read without TensorFlow."""

import pathlib

from whygrad.io.records import records_in
from whygrad.io.tensor_protos import parse_tensor
from whygrad.summary.events import Event


def events_in(folder):
    """The events of all files in a folder, one file after the other."""
    files = sorted(pathlib.Path(folder).glob("events.out.tfevents.*"))
    return [Event.FromString(record) for path in files for record in records_in(str(path))]


def summaries_in(folder, dtype):
    """Step, tag and value of each summary of tensors of one dtype."""
    return [
        (event.step, value.tag, parse_tensor(value.tensor, dtype).numpy().tolist())
        for event in events_in(folder)
        for value in event.summary.value
    ]
