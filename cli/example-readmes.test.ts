import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { recordRun } from '../testdata/cli/recorded-run.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const COMMAND_PAGES = readdirSync(resolve(ROOT, 'docs/commands')).map((name) => `docs/commands/${name}`)
const DOCUMENTS = ['examples/fleet/README.md', 'examples/lifecycles/README.md', 'examples/matrix/README.md', ...COMMAND_PAGES]

/** The blocks of a document that show a command of ours with what it says; `text` blocks leave out some of it, with … for that. */
function shownRuns(path: string): readonly { readonly path: string; readonly command: string; readonly output: string }[] {
  const text = readFileSync(resolve(ROOT, path), 'utf8')
  return Array.from(text.matchAll(/```(?:console|text)\n\$ krm-variants (.*)\n([\s\S]*?)```/g), ([, command = '', output = '']) => ({
    path,
    command,
    output,
  }))
}

/** The words of a command line; double quotes keep blanks together. */
function wordsOf(command: string): readonly string[] {
  return Array.from(command.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare = '']) => quoted ?? bare)
}

/**
 * Commands that need a git repository, with the recorded output that their documents show. cli/diff/diff.test.ts and
 * cli/render/render-branches.test.ts make the repositories.
 */
const RECORDED: ReadonlyMap<string, string> = new Map([
  ['diff origin/main', 'testdata/diff/all.txt'],
  ["render fleet --out clusters --branch 'drafts/{set}/{repository}'", 'testdata/diff/drafts.txt'],
])

test.each(DOCUMENTS.flatMap(shownRuns))('$path shows what `$command` says', async ({ command, output }) => {
  const recorded = RECORDED.get(command)
  const both = recorded === undefined ? (await recordRun(ROOT, wordsOf(command))).both : readFileSync(resolve(ROOT, recorded), 'utf8')
  const parts = output.split(/^…\n/m).filter((part) => part !== '')
  if (parts.length === 1 && parts[0] === output) expect(output).toBe(both)
  else expect(parts.filter((part) => !both.includes(part))).toEqual([])
})

test('the READMEs of examples show a plan, and simulations', () => {
  expect(shownRuns('examples/lifecycles/README.md')).toHaveLength(3)
  expect(shownRuns('examples/fleet/README.md').map(({ command }) => command)).toContain('plan examples/fleet')
})

test('the page of a command shows that command', () => {
  // Of what these print a reader needs nothing: a script for a shell, JSON. What init and convert write docs/start.md and
  // docs/from-kustomize.md show.
  const silent = ['completion', 'convert', 'init', 'schema']
  const shown = COMMAND_PAGES.filter((path) => shownRuns(path).some(({ command }) => path === `docs/commands/${wordsOf(command)[0]}.md`))
  expect(COMMAND_PAGES.filter((path) => !shown.includes(path))).toEqual(silent.map((name) => `docs/commands/${name}.md`))
})
