import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordRun } from '../testdata/cli/recorded-run.ts'
import { folderFor, textsIn, WRITERS, type Writer } from '../testdata/cli/writing-commands.ts'

const CONVERT = ['convert', 'applicationset', 'input/set.yaml', '--repo', 'input', '--out', 'made']

/** Converts a tree and changes it, so that the next conversion changes the fleet. */
async function convertAndChange(folder: string): Promise<void> {
  await recordRun(folder, CONVERT)
  for (const path of textsIn(join(folder, 'input/apps')).keys()) appendFileSync(join(folder, 'input/apps', path), 'immutable: true\n')
}

/** The commands that write new files only. */
const NEW_FILES = ['resolve', 'sync', 'render']

const COMMANDS: readonly Writer[] = [
  ...WRITERS.filter(({ name }) => !NEW_FILES.includes(name)),
  { name: 'check --unsafe-fixes', from: 'testdata/cli/check/input', args: ['check', '--unsafe-fixes', '.'] },
  { name: 'convert again', from: 'testdata/cli/convert-set-proved', args: CONVERT, before: convertAndChange },
]

const isYaml = (path: string) => /\.ya?ml$/.test(path)

test.each(COMMANDS)(
  '$name keeps documents that hold only comments, before and behind the objects of a file',
  { timeout: 60_000 },
  async (writer) => {
    const folder = await folderFor(writer)
    for (const [path, text] of textsIn(folder))
      if (isYaml(path)) writeFileSync(join(folder, path), `# top of ${path}\n---\n${text.replace(/\n?$/, '\n')}---\n# end of ${path}\n`)
    const before = textsIn(folder)
    const { both } = await recordRun(folder, writer.args)
    const changed = [...textsIn(folder)].filter(([path, text]) => isYaml(path) && before.has(path) && before.get(path) !== text)
    expect(changed, both).not.toEqual([])
    expect(
      changed.filter(([path, text]) => !text.includes(`# top of ${path}\n---\n`) || !text.includes(`---\n# end of ${path}\n`)),
    ).toEqual([])
  },
)
