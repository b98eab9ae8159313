import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './ready.mjs'

/** The build of Porch whose answers the conformance tests compare ours with, and the release of `--target porch` (docs/porch.md). */
const PORCH = 'answers compared with a build of Porch after 1.5.8, target porch is porch@1.6'

/** What `--version` says: the version, the commit that was built, when there is one, and which Porch it is compared with. */
export const VERSION = versionText()

function versionText() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const commit = commitOf(ROOT)
  return `${version} (${commit === '' ? '' : `commit ${commit}, `}${PORCH})`
}

/** Empty without git, or in a folder that is no repository of its own, such as an unpacked archive. */
function commitOf(folder) {
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) }
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  return stdout?.trim() ?? ''
}
