import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { bundlePath, ROOT, runProgram } from '../run-program.ts'

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** A folder, and what runs a script there. */
export interface RecipeRepository {
  readonly folder: string
  bash(script: string): ReturnType<typeof runProgram>
}

/** A git repository with the example fleet and its catalog, with krm-variants on PATH, and an npm that installs it. */
export async function recipeRepository(): Promise<RecipeRepository> {
  const [folder, programs] = [temporaryFolder(), temporaryFolder()]
  for (const name of ['fleet', 'catalog']) cpSync(join(ROOT, 'examples', name), join(folder, name), { recursive: true })
  symlinkSync(bundlePath('krm-variants'), join(programs, 'krm-variants'))
  // An npm that gives what the registry would, in a folder outside of the repository alone.
  const npm = `#!/bin/sh
case $PWD/ in '${folder}/'*) exit 1;; esac
[ "$1 $2 $3 $4 $5" = "install --prefix $TOOL --userconfig $TOOL/npmrc" ] || exit 1
for last; do :; done
[ "$last" = "krm-variants@${version}" ] || exit 1
mkdir -p "$TOOL/node_modules/.bin" && ln -s '${bundlePath('krm-variants')}' "$TOOL/node_modules/.bin/krm-variants"
`
  writeFileSync(join(programs, 'npm'), npm.replaceAll('$TOOL', '$3'), { mode: 0o755 })
  const people = ['AUTHOR', 'COMMITTER'].flatMap((who) => [`GIT_${who}_NAME=a`, `GIT_${who}_EMAIL=a@b`])
  const env = ['--chdir', folder, `CI_PROJECT_DIR=${folder}`, `PATH=${programs}:${process.env.PATH}`, ...people]
  const bash = (script: string) => runProgram('env', [...env, 'bash', '-eo', 'pipefail', '-c', script])
  const { stderr, exitCode } = await bash('git init --quiet && git add . && git commit --quiet --message base')
  if (exitCode !== 0) throw new Error(stderr)
  return { folder, bash }
}

/** Returns a script that runs the steps of a workflow, each in a shell of its own, with an empty folder as RUNNER_TEMP. */
export function scriptOf(steps: readonly { readonly run?: string }[]): string {
  const shells = steps.flatMap(({ run }) => (run === undefined ? [] : [`bash -eo pipefail <<'STEP'\n${run}\nSTEP`]))
  return ['export RUNNER_TEMP=$(mktemp -d)', ...shells].join('\n')
}

/** A folder that is gone after the test. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'krm-variants-recipe-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
