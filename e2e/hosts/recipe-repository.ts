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

/** A git repository with the example fleet and its catalog, with krm-variants on PATH, and an npx that gives what the registry would. */
export async function recipeRepository(): Promise<RecipeRepository> {
  const [folder, programs] = [temporaryFolder(), temporaryFolder()]
  for (const name of ['fleet', 'catalog']) cpSync(join(ROOT, 'examples', name), join(folder, name), { recursive: true })
  symlinkSync(bundlePath('krm-variants'), join(programs, 'krm-variants'))
  const npx = `#!/bin/sh\n[ "$1 $2" = "--yes krm-variants@${version}" ] && shift 2 && exec krm-variants "$@"\n`
  writeFileSync(join(programs, 'npx'), npx, { mode: 0o755 })
  const people = ['AUTHOR', 'COMMITTER'].flatMap((who) => [`GIT_${who}_NAME=a`, `GIT_${who}_EMAIL=a@b`])
  const env = ['--chdir', folder, `PATH=${programs}:${process.env.PATH}`, ...people]
  const bash = (script: string) => runProgram('env', [...env, 'bash', '-eo', 'pipefail', '-c', script])
  const { stderr, exitCode } = await bash('git init --quiet && git add . && git commit --quiet --message base')
  if (exitCode !== 0) throw new Error(stderr)
  return { folder, bash }
}

/** A folder that is gone after the test. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'krm-variants-recipe-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
