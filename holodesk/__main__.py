"""`python -m holodesk` is the command `holodesk`."""

from holodesk.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
