import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { randomFrom } from '../scripts/fuzz/random.ts'
import { replaced, replacementsIn } from '../scripts/fuzz/replaced-fields.ts'
import { formatFieldPath } from '../src/field-path.ts'
import { readPackage } from '../src/folder/read-package.ts'
import { recordRun } from './cli/recorded-run.ts'
import { randomRuns } from './random-runs.ts'

// As `wrong-types` of the fuzzer, for commands that read a folder.
const CASES = randomRuns(5)
const SEED = 1

const examples = new URL('../examples/', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'krm-variants-wrong-types-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each(['fleet', 'dependencies-four-ecosystems', 'set-context-with-others', 'lifecycles'])(
  '%s: plan and check of a folder with a value of a wrong type end with what they find, never with a bug',
  async (name) => {
    const random = randomFrom(SEED)
    const example = join(folder, name)
    cpSync(join(examples, name), example, { recursive: true })
    const files = [...new Set(readPackage(example).list.items.map(({ file }) => file?.path ?? ''))]
    for (let each = 0; each < CASES; each++) {
      const file = random.pick(files)
      const text = readFileSync(join(example, file), 'utf8')
      const documents = text.split(/^---$/m).map((document) => parse(document))
      const { path, value } = random.pick(replacementsIn(documents))
      const mutant = replaced(documents, path, value)
      writeFileSync(join(example, file), Array.isArray(mutant) ? mutant.map((document) => stringify(document)).join('---\n') : '')
      for (const command of ['plan', 'check']) {
        const { stderr, stdout } = await recordRun(example, [command])
        const said = `${command} of ${file} ${formatFieldPath(path)} as ${JSON.stringify(value)}: ${stderr}${stdout}`
        expect(said).not.toMatch(/this is a bug|\[object Object\]|\bundefined\b/)
      }
      writeFileSync(join(example, file), text)
    }
  },
)
