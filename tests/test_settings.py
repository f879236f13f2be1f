"""Where settings come from: the default, a file, the environment, the command line, in order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from domsh_repl.door_options import DOORS, DoorOptions, parse_door_options
from domsh_repl.errors import UsageError
from domsh_repl.options import Options, parse_options
from domsh_repl.optiontables import OPTIONS, SETTINGS
from tests.program import domsh, domsh_here


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Make a folder for configurations."""
    (tmp_path / "domsh").mkdir()
    return tmp_path


def options(home: Path, text: str, *argv: str, **environment: str) -> Options:
    """Return what holds with a configuration file of this text."""
    (home / "domsh" / "config.toml").write_text(text, encoding="utf-8")
    return parse_options(argv, {"XDG_CONFIG_HOME": str(home), **environment})


def test_a_file_gives_settings_variables_win_over_it_and_options_over_both(home: Path) -> None:
    text = 'timeout = "2m"\nheaded = true\nbrowser = "/b"\ncolor = "never"\n'
    assert options(home, text).timeout == 120
    assert options(home, text, DOMSH_TIMEOUT="3").timeout == 3
    found = options(home, text, "--timeout", "4", DOMSH_TIMEOUT="3", DOMSH_COLOR="always")
    assert (found.timeout, found.headed, found.browser) == (4, True, "/b")
    assert found.color == "always"


def test_no_file_is_read_where_no_environment_is_given(home: Path) -> None:
    (home / "domsh" / "config.toml").write_text("timeout = 1", encoding="utf-8")
    assert parse_options([]).timeout == 30


def test_a_switch_that_is_on_in_a_file_can_be_turned_off(home: Path) -> None:
    text = "read-only = true\nquiet = true\n"
    assert options(home, text).read_only
    assert not options(home, text, DOMSH_READ_ONLY="off").read_only
    found = options(home, text, "--no-read-only", "--no-quiet")
    assert (found.read_only, found.quiet) == (False, False)


def test_a_number_is_a_duration(home: Path) -> None:
    assert options(home, "timeout = 5").timeout == 5
    assert options(home, "timeout = 1.5").timeout == 1.5


def test_a_theme_can_be_chosen_and_single_styles_replaced(home: Path) -> None:
    found = options(home, 'theme = "dark"\n[colors]\nlink = "bold bright-green"\n')
    assert (found.theme, found.colors) == ("dark", {"link": "bold bright_green"})


def test_an_unknown_key_is_a_warning_with_the_nearest_one(home: Path) -> None:
    found = options(home, 'tiemout = "2m"\n[colors]\nlnk = "red"\n[zzzzzz]\nq = 1\n')
    first, second, third = found.settings.warnings
    assert "'tiemout'" in first
    assert "did you mean timeout?" in first
    assert "did you mean colors.link?" in second
    assert "`domsh config`" in third
    assert str(home) in first


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("read-only = 'ture'", "read-only in"),
        ("headed = 1", "neither true nor false"),
        ('timeout = "soon"', "no duration"),
        ("timeout = [1]", "timeout in"),
        ('color = "allways"', "none of auto, always, never"),
        ('theme = "drak"', "'drak' is none of"),
        ('[colors]\nlink = "pink"', "'pink' is no colour"),
        ('[colors]\nlink = "red on"', "colour is missing"),
        ("= 1", "is no TOML"),
        ('a = "\udcff"', "no UTF-8"),
    ],
)
def test_a_wrong_value_is_an_error_that_names_the_file(home: Path, text: str, said: str) -> None:
    file = home / "domsh" / "config.toml"
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(UsageError) as caught:
        parse_options([], {"XDG_CONFIG_HOME": str(home)})
    assert said in caught.value.message
    assert str(file) in caught.value.message
    assert caught.value.hint


def test_a_wrong_variable_is_an_error_that_names_it() -> None:
    with pytest.raises(UsageError, match=r"DOMSH_HEADED: 'perhaps' is neither"):
        parse_options([], {"DOMSH_HEADED": "perhaps"})


def test_another_file_can_be_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("headed = true", encoding="utf-8")
    assert parse_options(["--config", str(file)], {}).headed
    assert parse_options([], {"DOMSH_CONFIG": str(file)}).headed
    assert not parse_options(["--config", "/dev/null"], {"DOMSH_CONFIG": str(file)}).headed
    with pytest.raises(UsageError, match="no configuration file"):
        parse_options(["--config", str(tmp_path / "none.toml")], {})


def test_what_excludes_another_gives_way_to_what_was_said_nearer(home: Path) -> None:
    text = 'browser = "/b"\nheaded = true\n'
    found = options(home, text, "--cdp", "ws://x")
    assert (found.cdp, found.browser, found.headed) == ("ws://x", None, False)
    found = options(home, text, "--server", "domshell")
    assert (found.server, found.browser, found.headed) == ("domshell", None, False)
    found = options(home, 'server = "domshell"\nlane = "shared"\n', "--server", "builtin")
    assert (found.server, found.lane) == ("builtin", "new")
    found = options(home, 'server = "domshell"\n', "--browser", "/b")
    assert (found.server, found.browser) == ("builtin", "/b")
    with pytest.raises(UsageError, match=r"browser in .* and cdp in .* exclude each other"):
        options(home, 'browser = "/b"\ncdp = "ws://x"')
    with pytest.raises(UsageError, match="others use"):
        options(home, 'lane = "shared"')


@pytest.mark.parametrize("door", DOORS)
def test_the_doors_have_the_settings_too(home: Path, door: str) -> None:
    text = 'browser = "/b"\nread-only = true\ntheme = "dark"\ntoken-env = "T"\nnosuch = 1\n'
    (home / "domsh" / "config.toml").write_text(text, encoding="utf-8")
    found = parse_door_options(door, ["--no-read-only"], {"XDG_CONFIG_HOME": str(home)})
    assert (found.browser, found.read_only, found.token_variable) == ("/b", False, "T")
    assert "nosuch" in found.warnings[0]
    assert parse_door_options(door, []) == DoorOptions(door)


def test_the_defaults_of_the_table_are_those_of_the_options() -> None:
    assert parse_options([]) == Options()


def test_every_setting_has_one_name_and_every_option_a_help() -> None:
    keys = [one.key for one in SETTINGS]
    assert len(keys) == len(set(keys))
    names = [name for one in OPTIONS for name in one.names]
    assert len(names) == len(set(names))
    assert all(one.help for one in (*OPTIONS, *SETTINGS))


# --- domsh config -----------------------------------------------------------------------------


def test_config_tells_what_holds_and_where_it_comes_from(home: Path) -> None:
    (home / "domsh" / "config.toml").write_text('theme = "light"\n', encoding="utf-8")
    environment = {"XDG_CONFIG_HOME": str(home), "DOMSH_TIMEOUT": "2m", "DOMSH_TIMEOT": "1"}
    ran = domsh("config", "--proxy", "http://ada:pw@h:1/", environment=environment)
    assert (ran.status, ran.err) == (0, "")
    lines = {" ".join(line.split()) for line in ran.out.splitlines()}
    assert f"# file: {home}/domsh/config.toml" in lines
    assert 'theme = "light" # the file' in lines
    assert 'timeout = "120s" # DOMSH_TIMEOUT' in lines
    assert 'proxy = "http://…@h:1/" # --proxy' in lines
    assert 'server = "builtin" # default' in lines
    assert "did you mean DOMSH_TIMEOUT?" in ran.out
    assert "ada" not in ran.out


def test_what_config_prints_is_a_configuration(home: Path) -> None:
    printed = domsh_here("config", "--timeout", "3s", "--headed", "--config", "/dev/null").out
    found = options(home, printed)
    assert (found.timeout, found.headed) == (3, True)
    assert found.settings.warnings == ()


def test_config_is_json_too() -> None:
    (told,) = domsh_here("config", "--json", "--headed", "--config", "/dev/null").objects
    headed = {"name": "headed", "value": True, "from": "flag", "where": "--headed"}
    assert headed in told["settings"]
    assert told["file"] == "/dev/null"
    assert told["history"].endswith("/domsh/history")
    assert json.dumps(told)


def test_a_warning_comes_before_all_else_and_does_not_stop(home: Path) -> None:
    (home / "domsh" / "config.toml").write_text("tiemout = 3\n", encoding="utf-8")
    ran = domsh("-c", "help", environment={"XDG_CONFIG_HOME": str(home)})
    assert ran.status == 0
    assert "did you mean timeout?" in ran.err
    assert "click" in ran.out


def test_a_broken_file_is_status_2_and_nothing_ran(home: Path) -> None:
    (home / "domsh" / "config.toml").write_text("read-only = maybe\n", encoding="utf-8")
    ran = domsh("-c", "help", environment={"XDG_CONFIG_HOME": str(home)})
    assert (ran.status, ran.out) == (2, "")
    assert "config.toml is no TOML" in ran.err
    assert "--config /dev/null" in ran.err
