import { realpathSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { attempt, quietly } from '../../src/attempt.ts'
import { topOf } from '../../src/git/git.ts'
import { GitError } from '../../src/git/run-git.ts'
import { once } from '../../src/remember.ts'
import type { Host } from '../host.ts'

/**
 * Returns a function that turns the path of a file, as the caller sees it, into the path from the top of the git repository that `dir` is
 * in, which code hosts ask for: `set.yaml` in the folder `fleet` becomes `fleet/set.yaml`. Outside of a repository paths are from the
 * current folder. A file that is not below either keeps its path, as do those of a list on stdin (`-`).
 * Git is asked at the first path.
 */
export function pathsInRepository(dir: string, host: Host): (path: string) => string {
  if (dir === '-') return (path) => path
  const top = once(() => attempt(() => realpathSync(topOf({ dir: host.locate(dir) })), GitError) ?? realpathSync(host.locate('.')))
  return (path) => {
    const place = host.locate(path)
    const inside = relative(top(), join(quietly(() => realpathSync(dirname(place))) ?? dirname(place), basename(place)))
    return inside.startsWith(`..${sep}`) ? path : inside.split(sep).join('/')
  }
}
