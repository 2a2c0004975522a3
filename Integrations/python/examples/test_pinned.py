"""An app that pins, under pytest."""

from app import ask

from pindrill import PinDrill


def test_the_app_keeps_to_its_pins(pindrill: PinDrill) -> None:
    pins = pindrill.pins("leaf-and-backup")
    drill = pindrill.drill("attacker-installed-root", policy="leaf-and-backup")
    drill.play(lambda attempt: ask(attempt, pins))
    drill.expect("pass")
