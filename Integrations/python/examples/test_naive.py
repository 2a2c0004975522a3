"""The same with an app that pins nothing: this test fails, and says why."""

from app import ask

from pindrill import PinDrill


def test_the_app_keeps_to_its_pins(pindrill: PinDrill) -> None:
    drill = pindrill.drill("attacker-installed-root", policy="leaf-and-backup")
    drill.play(lambda attempt: ask(attempt, []))
    drill.expect("pass")
