# The set-up that every script shares: sourced, not run.
#
#   set_up EXTRA [SCREEN]   EXTRA   what to install: run, or test (which has all of run)
#                           SCREEN  the system libraries it needs: none (default), offscreen,
#                                   window, or display (a window, and an X server to test it on)
#
# The first time it finds a Python, makes .venv, installs into it and leaves a stamp there for each
# thing that is ready. Later it compares the stamps and is done in some milliseconds.
# What it says goes to stderr: stdout belongs to the program.
# shellcheck shell=bash

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv
python=$venv/bin/python
unfinished=$venv/unfinished # there while an install runs: found later, it was interrupted

set_up() {
  local extra=$1 screen=${2:-none}
  key=$(stamp_key)
  ready "$extra" "$screen" && return
  # the folder itself is what is locked, so no lock file is left behind
  (
    trap 'exit 130' INT TERM # pip answers Ctrl+C with an ordinary failure, and we would go on
    if command -v flock >/dev/null; then flock 9; fi
    make_ready "$extra" "$screen"
  ) 9<"$root" >&2
}

make_ready() {
  local extra=$1 screen=$2
  key=$(stamp_key)
  ready "$extra" "$screen" && return # another script did it while we waited
  find_python
  install_system_packages "$extra" "$screen"
  if ! venv_is_whole; then make_venv; fi
  key=$(stamp_key)
  stamped "$extra" || { [[ $extra == run ]] && stamped test; } || install "$extra"
  [[ $screen == none ]] || stamp "screen-$screen"
}

say() { printf 'setup: %s\n' "$*" >&2; }

give_up() {
  say "$@"
  exit 1
}

# --- stamps: what is ready, and for which project file, Python and place -------------------------

stamp_key() {
  local version
  version=$("$python" -I -S -c 'import sys; print(*sys.version_info[:2], sep=".")' 2>/dev/null) || version=none
  printf '%s %s %s' "$(cksum <"$root/pyproject.toml")" "$version" "$root"
}

stamp() { printf '%s\n' "$key" >"$venv/ready-$1"; }

stamped() { [[ -f $venv/ready-$1 && $(<"$venv/ready-$1") == "$key" ]]; }

ready() { # a test install serves run as well, and a screen that is better than the one asked for
  local extra=$1 screen=$2
  [[ ! -e $unfinished ]] || return 1
  stamped "$extra" || { [[ $extra == run ]] && stamped test; } || return 1
  case $screen in
    none) return ;;
    offscreen) stamped screen-offscreen || stamped screen-window || stamped screen-display ;;
    window) stamped screen-window || stamped screen-display ;;
    *) stamped "screen-$screen" ;;
  esac
}

# --- Python --------------------------------------------------------------------------------------

# A candidate may exist and not run (a pyenv shim of a version that is not active), and may run and
# not be able to make an environment (Debian ships ensurepip apart, in python3-venv).
find_python() {
  local candidate
  base_python=
  for candidate in python3 python3.13 python3.12 python3.11 python3.14 python; do
    new_enough "$candidate" || continue
    base_python=${base_python:-$candidate}
    if makes_venvs "$candidate"; then
      base_python=$candidate
      return
    fi
  done
  [[ -n $base_python ]] || give_up 'VizML needs Python 3.11 or newer, and none was found on the PATH.'
}

new_enough() { "$1" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

makes_venvs() { "$1" -I -c 'import ensurepip, venv' 2>/dev/null; }

venv_is_whole() {
  [[ ! -e $unfinished ]] && made_here && new_enough "$python" && "$python" -m pip --version &>/dev/null
}

made_here() { # its scripts carry its path, so one that was moved or copied is of no use
  grep -qsF -- "$venv" "$venv/bin/activate"
}

make_venv() {
  makes_venvs "$base_python" ||
    give_up "$base_python has no venv module with ensurepip; install it (or another Python 3.11+) and try again."
  if [[ -e $venv ]]; then say "rebuilding .venv, which is not whole"; else say "making .venv"; fi
  rm -rf -- "$venv"
  "$base_python" -m venv "$venv" || give_up "$base_python could not make .venv; see above."
}

install() {
  local extra=$1 what=$root
  [[ $extra == test ]] && what="${root}[test]"
  say "installing VizML and what it needs into .venv (a few minutes the first time)"
  rm -f -- "$venv"/ready-run "$venv"/ready-test
  : >"$unfinished"
  if ! "$python" -m pip install --quiet --disable-pip-version-check --editable "$what"; then
    rm -f -- "$unfinished" # pip gave up by itself and says why: the environment is as it was
    give_up "pip could not install VizML; its message is above."
  fi
  stamp "$extra"
  rm -f -- "$unfinished"
}

# --- system libraries, where apt-get is there to install them ------------------------------------

offscreen_libraries='
  libglib-2.0.so.0:libglib2.0-0
  libGL.so.1:libgl1
  libEGL.so.1:libegl1
  libdbus-1.so.3:libdbus-1-3
  libfontconfig.so.1:libfontconfig1
  libxkbcommon.so.0:libxkbcommon0'
window_libraries='
  libxcb-cursor.so.0:libxcb-cursor0
  libxcb-icccm.so.4:libxcb-icccm4
  libxcb-keysyms.so.1:libxcb-keysyms1
  libxcb-shape.so.0:libxcb-shape0
  libxkbcommon-x11.so.0:libxkbcommon-x11-0'
display_programs='Xvfb:xvfb xauth:xauth xdotool:xdotool'

install_system_packages() {
  local packages
  command -v apt-get >/dev/null || return 0
  packages=$(missing_packages "$2")
  [[ -n $packages ]] || return 0
  local install="apt-get install -y --no-install-recommends $packages"
  if ! is_root; then
    give_up "system packages are missing. Please run this, then try again:
  sudo apt-get update && sudo $install"
  fi
  say "installing system packages: $packages"
  apt-get update -qq || true # a broken extra source need not matter; the install will tell
  # shellcheck disable=SC2086  # the words of the command are meant to split
  DEBIAN_FRONTEND=noninteractive $install -qq >/dev/null || give_up "apt-get failed; see above. The command was: $install"
}

is_root() { ((EUID == 0)); }

missing_packages() {
  local screen=$1
  {
    if ! venv_is_whole && ! makes_venvs "$base_python"; then venv_package; fi
    case $screen in
      offscreen) missing_libraries "$offscreen_libraries" ;;
      window) missing_libraries "$offscreen_libraries $window_libraries" ;;
      display)
        missing_libraries "$offscreen_libraries $window_libraries"
        missing_programs "$display_programs"
        ;;
    esac
  } | paste -sd ' ' -
}

venv_package() { # by version: python3-venv serves Debian's default Python only
  "$base_python" -I -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])'
}

missing_libraries() { # the library itself is looked for: Debian 13 renamed some packages
  local known entry
  known=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p)
  for entry in $1; do
    [[ $known == *"${entry%%:*} "* ]] || echo "${entry#*:}"
  done
}

missing_programs() {
  local entry
  for entry in $1; do
    command -v "${entry%%:*}" >/dev/null || echo "${entry#*:}"
  done
}
