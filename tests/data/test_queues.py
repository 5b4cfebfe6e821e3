"""Queues of tensors, and threads that wait for them."""

import threading
import warnings

import numpy as np
import pytest

import whygrad as tf


def test_elements_leave_in_order_as_rows():
    queue = tf.queue.FIFOQueue(10, [tf.float32, tf.int32], shapes=[(), (2,)])
    queue.enqueue((1.0, [1, 2]))
    queue.enqueue_many(([2.0, 3.0], [[3, 4], [5, 6]]))
    assert int(queue.size()) == 3
    first, second = queue.dequeue()
    assert float(first) == 1.0
    assert second.numpy().tolist() == [1, 2]
    numbers, rows = queue.dequeue_many(2)
    assert numbers.numpy().tolist() == [2.0, 3.0]
    assert rows.numpy().tolist() == [[3, 4], [5, 6]]
    with pytest.raises(ValueError, match=r"Shapes \(3,\) and \(2,\) are incompatible"):
        queue.enqueue((1.0, [1, 2, 3]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="an element has 2 components, not 1"):
        queue.enqueue((1.0,))


def test_names_make_dictionaries():
    queue = tf.queue.FIFOQueue(4, [tf.float32, tf.int32], names=["a", "b"], shapes=[(), ()])
    queue.enqueue({"a": 1.0, "b": 2})
    assert {name: float(value) for name, value in queue.dequeue().items()} == {"a": 1.0, "b": 2.0}
    with pytest.raises(ValueError, match="You must enqueue a dictionary in a Queue with names"):
        queue.enqueue((1.0, 2))


def test_a_closed_queue_gives_what_is_left():
    queue = tf.queue.FIFOQueue(4, tf.int32, shapes=[()])
    queue.enqueue_many([[1, 2, 3]])
    queue.close()
    with pytest.raises(tf.errors.CancelledError, match="is closed"):
        queue.enqueue(4)
    with pytest.raises(tf.errors.OutOfRangeError, match=r"insufficient elements \(requested 4, current size 3\)"):
        queue.dequeue_many(4)
    assert queue.dequeue_up_to(4).numpy().tolist() == [1, 2, 3]


def test_padding_random_and_priority():
    padding = tf.queue.PaddingFIFOQueue(4, [tf.int32, tf.string], shapes=[[None], [None]])
    padding.enqueue(([1], ["a", "b"]))
    padding.enqueue(([2, 3], ["c"]))
    numbers, words = padding.dequeue_many(2)
    assert numbers.numpy().tolist() == [[1, 0], [2, 3]]
    assert words.numpy().tolist() == [[b"a", b"b"], [b"c", b""]]

    shuffled = tf.queue.RandomShuffleQueue(200, 50, tf.int32, shapes=[()], seed=1)
    shuffled.enqueue_many([np.arange(100)])
    taken = shuffled.dequeue_many(50).numpy().tolist()
    assert taken != sorted(taken)
    shuffled.close()
    assert sorted(taken + shuffled.dequeue_many(50).numpy().tolist()) == list(range(100))

    urgent = tf.queue.PriorityQueue(4, tf.string, [()])
    for priority, word in ((5, "later"), (2, "soon"), (2, "next")):
        urgent.enqueue((priority, word))
    assert urgent.dequeue_many(3)[1].numpy().tolist() == [b"soon", b"next", b"later"]


def test_threads_wait_for_room_and_for_elements():
    queue = tf.queue.FIFOQueue(2, tf.int32, shapes=[()])
    taken = []

    def take():
        while True:
            try:
                taken.append(int(queue.dequeue()))
            except tf.errors.OutOfRangeError:
                return

    thread = threading.Thread(target=take)
    thread.start()
    for number in range(100):
        queue.enqueue(number)
    queue.close()
    thread.join(timeout=30)
    assert taken == list(range(100))


def test_closing_cancels_a_thread_that_waits_to_put():
    queue = tf.queue.FIFOQueue(1, tf.int32, shapes=[()])
    queue.enqueue(1)
    timer = threading.Timer(0.1, lambda: queue.close(cancel_pending_enqueues=True))
    timer.start()
    with pytest.raises(tf.errors.CancelledError, match="Enqueue operation was cancelled"):
        queue.enqueue(2)
    timer.join()


def test_a_function_takes_another_element_at_each_call():
    queue = tf.queue.FIFOQueue(4, tf.int32, shapes=[()])
    queue.enqueue_many([[1, 2]])
    take = tf.function(lambda: queue.dequeue() * 10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it runs as Python
        assert [int(take()), int(take())] == [10, 20]
    with pytest.raises(tf.errors.InvalidArgumentError, match="an element has 1 component, not 2"):
        queue.enqueue([1, 2])
