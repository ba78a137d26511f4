"""Work on a Dask cluster on this machine; skipped without Dask."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from socket import socket
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from time import sleep

import pytest

from sokoterm.commands import SCHEDULER_LOST
from sokoterm.commands.support.levels import Job, Look, SchedulerLostError
from sokoterm.commands.support.workers import cluster_at
from sokoterm.engine.level import Level
from sokoterm.solver.search import MEGABYTE
from tests.bench.cluster import Machines
from tests.slow import others_slow, slow
from tests.unit.commands.command import MODULE, ONE_PUSH, SEED, TWO_PUSHES, WIDE, Command

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="needs Dask: pip install 'sokoterm[cluster]'")

MEMORY = 64 * MEGABYTE


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    with Machines(str(tmp_path), 2) as machines:
        yield machines


def failing(level: Level, _look: Look, error: BaseException | None) -> str:
    """Work of a worker: to name the level, or to fail or end at once at the seventh."""
    if level.title == "7" and error is None:
        os.kill(os.getpid(), signal.SIGKILL)
    if level.title == "7" and error is not None:
        raise error
    return level.title


@pytest.mark.slow
@pytest.mark.parametrize("error", [None, SystemExit(3), KeyboardInterrupt(), RuntimeError("out of luck")], ids=repr)
def test_work_that_fails_or_kills_its_worker_costs_its_level_alone(error: BaseException | None) -> None:
    levels = [Level.from_xsb(ONE_PUSH).replace(title=str(number)) for number in range(20)]
    tasks = iter([Job(each.title, partial(failing, each, error=error)) for each in levels])
    with cluster_at("local:2", MEMORY) as cluster:
        assert cluster.workers == 2
        results = [result for some in cluster.results(tasks) for result in some]
    assert sorted(int(each.key) for each in results) == [*range(20)]
    assert [each.key for each in results if each.key != each.result] == ["7"]


@pytest.mark.slow
def test_workers_on_this_machine_need_no_port_that_may_be_taken() -> None:
    with socket() as taken:
        with suppress(OSError):  # taken by another one
            taken.bind(("127.0.0.1", 8787))
            taken.listen()
        with cluster_at("local:1", MEMORY) as cluster:
            assert cluster.workers == 1


@pytest.mark.slow
def test_a_scheduler_that_is_lost_while_levels_are_read_is_said(
    machines: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    connect = distributed.Client
    monkeypatch.setattr(distributed, "Client", lambda *place, **flags: connect(*place, **(flags | {"timeout": 2})))
    machines.wait_for_workers()

    def wait() -> None:
        while cluster.workers >= 0:
            sleep(0.05)

    def read() -> Iterator[Job]:
        machines.kill_scheduler()
        with pytest.raises(SchedulerLostError):
            wait()
        level = Level.from_xsb(ONE_PUSH)
        yield Job("1", partial(failing, level, error=None))

    with cluster_at(machines.address, MEMORY) as cluster, pytest.raises(SchedulerLostError):
        next(cluster.results(read()))


@pytest.mark.slow
def test_other_versions_than_those_of_this_machine_are_said_in_one_line(
    machines: Machines, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    versions = pytest.importorskip("distributed.versions")
    mine = versions.get_versions()["packages"]
    there = mine["python"].removesuffix(".final.0")
    found = {"packages": mine | {"python": "3.1.4.final.0", "tornado": "4.2"}}
    machines.wait_for_workers()
    monkeypatch.setattr(versions, "get_versions", lambda **_: found)
    with cluster_at(machines.address, MEMORY):
        pass
    said = capsys.readouterr().err
    tornado = f"{mine['tornado']} on the scheduler, {mine['tornado']} on 2 of 2 workers"
    python = f"{there} on the scheduler, {there} on 2 of 2 workers"
    line = f"sokoterm: --cluster: versions differ, so work may fail: python 3.1.4 here, {python}; tornado 4.2 here, "
    assert said == f"{line}{tornado}\n"


def test_a_lost_scheduler_is_said_and_the_same_command_goes_on(machines: Machines, command: Command) -> None:
    pack, out = command.pack("levels.txt", [ONE_PUSH, SEED, WIDE, TWO_PUSHES]), command.folder / "out.jsonl"
    arguments = ["solve", str(pack), "--strategy", "bfs", "--cluster", machines.address, "-o", str(out)]
    with subprocess.Popen([*MODULE, *arguments], stderr=subprocess.PIPE, text=True) as lost:
        while not out.exists() or len(out.read_text("ascii").splitlines()) < 2:
            sleep(0.05)
            assert lost.poll() is None
        machines.kill_scheduler()
        _, said = lost.communicate()
    assert (lost.returncode, said.count("\n")) == (SCHEDULER_LOST, 1)
    assert f"the scheduler at {machines.address} was lost: {out} contains the result" in said
    before = out.read_text("ascii")
    machines.start_scheduler()
    assert command(*arguments, "--nodes", "100").status == 1
    rows = [json.loads(line) for line in out.read_text("ascii").splitlines()]
    assert sorted((row["level"], row["pushes"]) for row in rows if row["pushes"]) == [(1, 1), (4, 2)]
    assert sorted(row["level"] for row in rows) == [1, 2, 3, 4]
    assert 2 <= len(before.splitlines()) < 4


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("local:0", "found '0', expected local:N with a whole number from 1 to 512"),
        ("foo://host:1", "found foo://, expected one of tcp, tls, ws, wss"),
        ("127.0.0.1:1", "no scheduler answers there"),
        slow("tcp://127.0.0.1:none", "no scheduler answers there"),
        slow("", "no scheduler answers there"),
        slow("127.0.0.1", "no scheduler answers there"),
        slow("127.0.0.1 :1", "no scheduler answers there"),
        slow("no-such-host.invalid:1", "no scheduler answers there"),
        slow("tls://127.0.0.1:1", "no scheduler answers there"),
    ],
)
def test_an_address_that_is_none_is_said(command: Command, address: str, said: str) -> None:
    command.monkeypatch.setattr("sokoterm.commands.support.workers.CONNECT_SECONDS", 2)
    out = command.folder / "out.sok"
    assert said in command.refusal("solve", command.pack("levels.txt", [SEED]), "--cluster", address, "-o", out)
    assert not out.exists()


# What a service says, and whether it then waits for its client to leave, or repeats what that says.
SERVICES = {
    "silent": (b"", "waits"),
    "closes": (b"", ""),
    "ssh": (b"SSH-2.0-OpenSSH_9.6\r\n", "waits"),
    "http": (b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", ""),
    "noise": (bytes(range(256)) * 16, "waits"),
    "zeros": (bytes(4096), "waits"),
    "echo": (b"", "repeats"),
}


@pytest.mark.parametrize("name", others_slow(SERVICES))
def test_another_service_than_a_scheduler_is_said_in_one_line(command: Command, name: str) -> None:
    said, then = SERVICES[name]

    class Service(BaseRequestHandler):
        def handle(self) -> None:
            with suppress(OSError):
                self.request.sendall(said)
                while then and (data := self.request.recv(4096)):
                    self.request.sendall(data if then == "repeats" else b"")

    command.monkeypatch.setattr("sokoterm.commands.support.workers.CONNECT_SECONDS", 2)
    with ThreadingTCPServer(("127.0.0.1", 0), Service) as service:
        Thread(target=service.serve_forever, daemon=True).start()
        address, out = f"127.0.0.1:{service.server_address[1]}", command.folder / "out.sok"
        result = command("solve", command.pack("levels.txt", [SEED]), "--cluster", address, "-o", out)
        service.shutdown()
    assert (result.status, result.out, result.err.count("\n")) == (2, "", 1)
    assert f"--cluster {address}: no scheduler answers there: " in result.err


def test_without_dask_one_line_tells_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "distributed.py").write_text("raise ModuleNotFoundError('distributed')\n", "ascii")
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    arguments = ["solve", "-l", "1", "--cluster", "local", "-o", str(tmp_path / "out.sok")]
    found = subprocess.run([*MODULE, *arguments], env=environ, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr == ("sokoterm: --cluster needs Dask, which is not installed: pip install 'sokoterm[cluster]'\n")
