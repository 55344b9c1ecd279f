#!/bin/sh
# Before anything else of `npm start` and `npm test`: the Node of the dependencies is linked against libatomic, which a minimal
# Debian does not have. Installed where we may, as scripts/setup.ts does with what the tests need.
said=$(node --version 2>&1 > /dev/null) && exit 0
echo "$said" >&2
case $said in *libatomic*) ;; *) exit 1 ;; esac

if [ "$(id -u)" -eq 0 ]; then as_root=; else as_root='sudo -n'; fi
if command -v apt-get > /dev/null && $as_root true 2> /dev/null; then
  echo 'setup: installing libatomic1'
  export DEBIAN_FRONTEND=noninteractive
  $as_root apt-get update && $as_root apt-get install -y --no-install-recommends libatomic1 && exit 0
fi
echo 'setup: Node needs a library. Install with:' >&2
echo '  sudo apt-get update && sudo apt-get install -y --no-install-recommends libatomic1' >&2
exit 1
