import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commitChanges, EIGHT_CHANGES, makeFleet } from '../../testdata/diff/fleet-repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'krm-variants-diff-'))
const golden = (name: string) => fileURLToPath(new URL(`../../testdata/diff/${name}`, import.meta.url))
let made: Awaited<ReturnType<typeof makeFleet>>

beforeAll(async () => {
  made = await makeFleet(folder)
})

afterAll(() => rmSync(folder, { recursive: true }))

describe.each(EIGHT_CHANGES)('a commit with the change $tag', (change) => {
  test('is one change for one cause, with its line', async () => {
    commitChanges(made, change.tag, [change])
    const { stdout, exitCode } = await made.fleet.run('diff', `start..${change.tag}`)
    await expect(stdout).toMatchFileSnapshot(golden(`${change.tag}.txt`))
    expect(exitCode).toBe(2)
  })
})

describe('all changes in one commit', () => {
  const FORMATS: readonly (readonly [file: string, args: readonly string[]])[] = [
    ['all.txt', []],
    ['all.json', ['--format', 'json']],
    ['all.md', ['--format', 'markdown']],
    ['all-cut.md', ['--format', 'markdown', '--max-chars', '2000']],
    ['all.sarif', ['--format', 'sarif']],
    ['all.github.txt', ['--format', 'github']],
    ['all.diff', ['--unified']],
  ]

  beforeAll(() => commitChanges(made, 'all', EIGHT_CHANGES))

  test.each(FORMATS)('are printed as %s', async (file, args) => {
    const { stdout, exitCode } = await made.fleet.run('diff', 'start', ...args)
    await expect(stdout).toMatchFileSnapshot(golden(file))
    expect(exitCode).toBe(2)
  })

  test('are the same for the commit, its folder, and from the merge base', async () => {
    const [first, ...others] = await Promise.all(
      ['start', 'start..all', 'start...all', 'start..'].map((range) => made.fleet.run('diff', range)),
    )
    expect(others.map(({ stdout }) => stdout)).toEqual(others.map(() => first?.stdout))
  })

  test('have the same causes when the packages are rendered and committed with them', async () => {
    const { stdout } = await made.fleet.run('diff', 'start..all')
    expect((await made.fleet.run('render', '.', '--allow-moved', '--discard-edits')).exitCode).toBe(0)
    made.fleet.commit('rendered')
    expect((await made.fleet.run('diff', 'start..rendered')).stdout).toBe(stdout)
  })

  test('are dangerous', async () => {
    const { exitCode, stdout } = await made.fleet.run('diff', 'start..all', '--fail-on', 'danger')
    expect(exitCode).toBe(1)
    expect(stdout).toContain('Dangers: ')
  })

  test('have the form of the published schema', async () => {
    const { stdout } = await made.fleet.run('diff', 'start..all', '--format', 'json')
    const schema = JSON.parse(readFileSync(fileURLToPath(new URL('../../schemas/output/diff.json', import.meta.url)), 'utf8'))
    const ajv = new Ajv({ strict: false, allErrors: true })
    expect(ajv.validate(schema, JSON.parse(stdout)) || ajv.errorsText()).toBe(true)
    expect(schema.required).toContain('formatVersion')
  })
})

test('one state has no change', async () => {
  commitChanges(made, 'same', [])
  const { stdout, exitCode } = await made.fleet.run('diff', 'start..start')
  expect([stdout, exitCode]).toEqual(['Fleet: no package changes\n', 0])
})

test.each([
  ['nowhere', "'nowhere': git knows no such revision"],
  ['start..nowhere', "'nowhere': git knows no such revision"],
  ['--upload-pack=x', "unknown option '--upload-pack=x'"],
])('%s is refused', async (range, words) => {
  const { both, exitCode } = await made.fleet.run('diff', range)
  expect(both).toContain(words)
  expect(exitCode).toBe(1)
})
