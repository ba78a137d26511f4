"""docs/hosting.md: sshd takes the lines that it shows."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.system.ssh.server import NoServerError, find, make_separation

HOSTING = (Path(__file__).parents[3] / "docs" / "hosting.md").read_text(encoding="utf-8")


def test_sshd_reads_the_lines_of_the_page(tmp_path: Path) -> None:
    try:
        sshd, keygen = find("sshd"), find("ssh-keygen")
    except NoServerError as error:
        pytest.skip(str(error))
    key = tmp_path / "key"
    subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    match = re.search(r"<!-- sshd_config -->\n```\n(Match .*?)```", HOSTING, re.DOTALL)
    assert match is not None
    lines = match[1]
    settings = tmp_path / "sshd_config"
    settings.write_text(f"HostKey {key}\nUsePAM no\nAcceptEnv LD_PRELOAD\n{lines.replace('Group sokoban', 'User ann')}")
    command = [sshd, "-T", "-f", str(settings), "-C", "user=ann,host=localhost,addr=127.0.0.1"]
    make_separation()
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stderr == ""
    said = result.stdout.lower().splitlines()
    for line in lines.splitlines()[1:]:
        name, _, value = line.strip().lower().partition(" ")
        for each in value.split() if name == "acceptenv" else [value]:
            assert f"{name} {each}" in said
    assert "acceptenv ld_preload" not in said
    assert "permituserenvironment no" in said
