"""One pen for a desk, and it ends with its process, however that ends (decisions 8a)."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from holodesk.errors import Held, Unavailable
from holodesk.host.pen import HOLDER, LOCK, Pen, told_holder

TAKER = """
import sys
from pathlib import Path
from holodesk.host.pen import Pen
pen = Pen(Path(sys.argv[1]), "show")
print("held", flush=True)
sys.stdin.readline()
pen.release()
"""


def taker(folder: Path) -> "subprocess.Popen[bytes]":
    words = [sys.executable, "-c", TAKER, str(folder)]
    other = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout is not None
    assert other.stdout.readline() == b"held\n"
    return other


def test_a_second_process_is_told_who_holds_the_pen(tmp_path: Path) -> None:
    with taker(tmp_path) as other:
        with pytest.raises(Held, match=rf"holodesk show \(process {other.pid}, since 2"):
            Pen(tmp_path, "pass")
        other.communicate(b"\n")
    Pen(tmp_path, "pass").release()


def test_the_pen_of_a_killed_process_is_free_at_once(tmp_path: Path) -> None:
    with taker(tmp_path) as other:
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert (tmp_path / HOLDER).exists()
        Pen(tmp_path, "pass").release()


def test_a_released_pen_leaves_no_holder_and_can_be_taken_again(tmp_path: Path) -> None:
    for _ in range(3):
        pen = Pen(tmp_path, "test")
        assert json.loads((tmp_path / HOLDER).read_text())["pid"] == os.getpid()
        pen.release()
        assert not (tmp_path / HOLDER).exists()


def test_a_pen_taken_in_one_thread_is_released_in_another(tmp_path: Path) -> None:
    pen = Pen(tmp_path, "test")
    ending = threading.Thread(target=pen.release)
    ending.start()
    ending.join()
    Pen(tmp_path, "test").release()


@pytest.mark.parametrize("octets", [b"", b"[]", b"\xff\xfe", b'{"pid":1}', b"null"])
def test_a_holder_file_that_says_nothing_is_another_holodesk(octets: bytes, tmp_path: Path) -> None:
    (tmp_path / HOLDER).write_bytes(octets)
    assert told_holder(tmp_path) == "another holodesk"


def test_a_folder_that_cannot_hold_a_pen_is_unavailable_and_keeps_no_lock(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file")
    with pytest.raises(Unavailable):
        Pen(tmp_path / "file", "test")
    (tmp_path / HOLDER).mkdir()
    with pytest.raises(Unavailable):
        Pen(tmp_path, "test")
    (tmp_path / HOLDER).rmdir()
    Pen(tmp_path, "test").release()


def test_a_folder_that_is_gone_does_not_keep_the_pen(tmp_path: Path) -> None:
    desk = tmp_path / "d"
    desk.mkdir()
    pen = Pen(desk, "test")
    (desk / HOLDER).unlink()
    (desk / LOCK).unlink()
    desk.rmdir()
    pen.release()
    desk.mkdir()
    Pen(desk, "test").release()
