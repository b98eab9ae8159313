import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RULES, type Rule } from '../src/rules/all-rules.ts'
import type { RuleExample } from '../src/rules/rule-record.ts'
import { recordRun } from './cli/recorded-run.ts'
import { testFolder } from './test-folder.ts'

/** Files by path, and the place that a line with an arrow marks. */
interface Files {
  readonly texts: ReadonlyMap<string, string>
  readonly mark: string | undefined
}

/** Returns the files of an example. A line with an arrow stays: it is a comment. */
function filesOf(text: string): Files {
  const lines = new Map<string, string[]>()
  let path = 'fleet.yaml'
  let mark: string | undefined
  for (const line of text.replace(/\n$/, '').split('\n')) {
    path = /^# file: (.*)$/.exec(line)?.[1] ?? path
    const ofFile = lines.get(path) ?? []
    if (/^\s*#\s*\^$/.test(line)) mark = `${path}:${ofFile.length}:${line.indexOf('^') + 1}`
    lines.set(path, line.startsWith('# file: ') ? ofFile : [...ofFile, line])
  }
  return { texts: new Map([...lines].map(([name, own]) => [name, `${own.join('\n')}\n`])), mark }
}

/** Returns the lines of a run on the files that name the rule. */
async function findings({ texts }: Files, { id, run = 'check' }: Rule & RuleExample): Promise<readonly string[]> {
  const folder = testFolder()
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const { stdout, stderr } = await recordRun(folder, run.split(' '))
  return `${stdout}\n${stderr}`.split('\n').filter((line) => line.endsWith(`[${id}]`))
}

const EXAMPLES = [...RULES.values()].filter((rule): rule is Rule & RuleExample => rule.bad !== undefined)

/** Returns the text without lines of arrows, so that a text of several lines is found in it. */
const unmarked = (text: string): string => text.replaceAll(/^\s*#\s*\^\n/gm, '')

describe.each(EXAMPLES)('$id', (rule) => {
  test('the bad files have the finding, at the marked place', async () => {
    const files = filesOf(rule.bad)
    const place = rule.at ?? files.mark
    const found = await findings(files, rule)
    const places = found.flatMap((line) => /^(\S+:\d+:\d+): /.exec(line)?.[1] ?? [])
    expect(found).not.toEqual([])
    expect(places).toEqual(place === undefined ? [] : expect.arrayContaining([place]))
  })

  test.skipIf(rule.good === undefined)('the good files do not', async () => {
    const { good = '' } = rule
    if (typeof good !== 'string') expect(unmarked(rule.bad)).toContain(good[0])
    const text = typeof good === 'string' ? good : unmarked(rule.bad).replace(good[0], () => good[1])
    expect(await findings(filesOf(text), rule)).toEqual([])
  })
})
