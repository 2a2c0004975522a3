"""Four lines to a verdict, without pytest: python3 without_pytest.py FILE"""

import sys

from app import ask

from pindrill import PinDrill

with PinDrill(sys.argv[1]) as pindrill:
    drill = pindrill.drill("attacker-installed-root")
    drill.play(lambda attempt: ask(attempt, pindrill.pins("leaf-and-backup")))
    drill.expect("pass")
