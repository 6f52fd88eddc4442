#!/bin/sh
# Everything a fresh machine needs: a Python, the system libraries of Qt, and the locked packages.
set -eu
venv="$1"

say() { printf 'holodesk set-up: %s\n' "$1" >&2; }
is_root() { [ "$(id -u)" = 0 ]; }
apt_install() {
  apt-get update -qq >/dev/null 2>&1 || true
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

python=""
for candidate in python3.12 python3.13 python3.11 python3; do
  if command -v "$candidate" >/dev/null 2>&1 &&
    "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
    python="$candidate"
    break
  fi
done
if [ -z "$python" ]; then
  say "Python 3.11, 3.12 or 3.13 is needed and was not found; please install one of them"
  exit 3
fi

if [ "$(uname -s)" = Linux ]; then
  # library file -> Debian package; `sh packaging/setup.sh` is the only place that lists them
  missing=""
  while read -r library package; do
    [ -n "$library" ] || continue
    "$python" - "$library" <<'PY' 2>/dev/null || missing="$missing $package"
import ctypes, sys
ctypes.CDLL(sys.argv[1])
PY
  done <<'LIST'
libGL.so.1 libgl1
libEGL.so.1 libegl1
libxkbcommon.so.0 libxkbcommon0
libdbus-1.so.3 libdbus-1-3
libfontconfig.so.1 libfontconfig1
libglib-2.0.so.0 libglib2.0-0
libX11.so.6 libx11-6
libxcb-cursor.so.0 libxcb-cursor0
libxcb-icccm.so.4 libxcb-icccm4
libxcb-image.so.0 libxcb-image0
libxcb-keysyms.so.1 libxcb-keysyms1
libxcb-randr.so.0 libxcb-randr0
libxcb-render-util.so.0 libxcb-render-util0
libxcb-shape.so.0 libxcb-shape0
libxcb-xkb.so.1 libxcb-xkb1
libxkbcommon-x11.so.0 libxkbcommon-x11-0
libX11-xcb.so.1 libx11-xcb1
libwayland-client.so.0 libwayland-client0
libwayland-cursor.so.0 libwayland-cursor0
libwayland-egl.so.1 libwayland-egl1
LIST
  "$python" -c 'import ensurepip, venv' 2>/dev/null ||
    missing="$missing $("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
  if [ -n "$missing" ]; then
    if is_root && command -v apt-get >/dev/null 2>&1; then
      say "installing$missing"
      # shellcheck disable=SC2086
      apt_install $missing || {
        say "these packages could not be installed:$missing"
        exit 3
      }
    else
      say "please install these packages, then run this again:$missing"
      exit 3
    fi
  fi
fi

if [ ! -x "$venv/bin/python" ] ||
  ! "$venv/bin/python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'; then
  rm -rf "$venv"
  "$python" -m venv "$venv"
fi
say "installing the locked packages into $venv"
"$venv/bin/python" -m pip install --quiet --require-hashes -r requirements.lock
"$venv/bin/python" -m pip install --quiet --no-deps --no-build-isolation -e .
say "ready: $venv/bin/holodesk"
