import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Words that any fleet can be asked with; revisions become HEAD. Commands with other words name sets, rings or objects of a fleet of their
 * own.
 */
const PLAIN =
  /^(?:plan|check|render|rings|diff|resolve|graph|outdated|--(?:against|format|max-chars|no-render|allow-outside|dry-run|diff|into)|text|json|html|dot|markdown|sarif|github|dependencies|\d+|HEAD|fleet)$/

/** Returns the commands on a fleet that the pages and the help of commands show, each once. */
function documentedCommands(): readonly string[] {
  const below = (folder: string, end: string) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).flatMap((path) =>
      path.endsWith(end) ? [`${folder}/${path}`] : [],
    )
  const pages = ['README.md', ...below('docs', '.md'), ...below('cli', '.ts')].filter(
    (path) => !/node_modules|generated|\.test\./.test(path),
  )
  const found = pages.flatMap((page) =>
    Array.from(readFileSync(join(ROOT, page), 'utf8').matchAll(/^[ $]*(?:npx )?krm-variants ([^`|>&\n]+)/gm), ([, words = '']) =>
      (words.split(/ {2,}/)[0] ?? '')
        .trim()
        .replace(/(?:\/tmp\/|examples\/)?\b(?:fleet|shops)$/, 'fleet')
        .replace(/\b(?:origin\/)?main(?:\.\.\.HEAD)?\b/, 'HEAD'),
    ),
  )
  return [...new Set(found)].filter((line) => line.split(' ').includes('fleet') && line.split(' ').every((word) => PLAIN.test(word))).sort()
}

const provider = (name: string, version: string) =>
  `apiVersion: pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: ${name}\nspec:\n  package: reg.example.org/acme/${name}:${version}\n`

let fleet: TestRepository
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-documented-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  fleet = new TestRepository(folder)
  const input = join(ROOT, 'testdata/cli/check-clusters/input')
  for (const file of ['catalog.yaml', 'fleet.yaml', 'render.yaml', 'catalog'])
    cpSync(join(input, file), join(folder, 'fleet', file), { recursive: true })
  fleet.write('fleet/catalog/net@1/q.yaml', provider('q', 'v0.5.0'))
  fleet.write('fleet/catalog/net@1/base.yaml', provider('base', 'v1.0.0'))
  await fleet.run('render', 'fleet')
  fleet.commit('rendered')
}, 60_000)

const COMMANDS = documentedCommands()

test('the pages show commands of six kinds at least', () => {
  expect(new Set(COMMANDS.map((line) => line.split(' ')[0])).size).toBeGreaterThanOrEqual(6)
})

test.each(COMMANDS)('%s finds no error in a rendered fleet of two clusters whose dependencies are met', async (line) => {
  const { both, exitCode } = await fleet.run(...line.split(' '))
  expect(both).not.toMatch(/(?:^|\W)error: /)
  expect([line, exitCode]).not.toEqual([line, 1])
})
