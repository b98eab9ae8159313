import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RecordedRun } from '../../testdata/cli/recorded-run.ts'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PROMOTE = ['promote', '--matrix', 'base', '--package', 'cert-manager']

let fleet: TestRepository
/** The commands in their order, each with its output. */
const said: (Pick<RecordedRun, 'stdout' | 'both'> & { readonly command: string })[] = []

beforeAll(async () => {
  fleet = new TestRepository(mkdtempSync(join(tmpdir(), 'krm-variants-release-')))
  cpSync(join(ROOT, 'examples/matrix/fleet'), join(fleet.folder, 'fleet'), { recursive: true })
  fleet.replace('fleet/base.yaml', 'cert-manager: 4', 'cert-manager: 3')
  expect((await fleet.run('render', 'fleet')).exitCode).toBe(0)
  fleet.commit('start')
}, 120_000)
afterAll(() => rmSync(fleet.folder, { recursive: true }))

async function run(...args: readonly string[]): Promise<RecordedRun> {
  const finished = await fleet.run(...args)
  said.push({ command: args.join(' '), ...finished })
  return finished
}

/** Returns the images of cert-manager that the clusters of each ring have on main, with their number. */
function onMain(): Readonly<Record<string, readonly string[]>> {
  const files = 'fleet/packages/*/cert-manager/cert-manager.yaml'
  const lines = fleet.git('grep', '--only-matching', '-E', 'cert-manager:1\\.[0-9]\\.0', 'main', '--', files)
  const imageOf = new Map(
    Array.from(lines.matchAll(/^main:fleet\/packages\/(.*?)\/.*:(1\.\d)\.0$/gm), ([, cluster = '', image = '']) => [cluster, image]),
  )
  const found: Record<string, Map<string, number>> = { canary: new Map(), europe: new Map(), world: new Map() }
  for (const [cluster, image] of imageOf) {
    const ring = ['ams-01', 'nyc-01'].includes(cluster) ? 'canary' : EUROPE.test(cluster) ? 'europe' : 'world'
    found[ring]?.set(image, (found[ring].get(image) ?? 0) + 1)
  }
  return Object.fromEntries(
    Object.entries(found).map(([ring, images]) => [ring, Array.from(images, ([image, count]) => `${image} × ${count}`)]),
  )
}

const EUROPE = /^(ams|ham|kel|par|vie)-/

/** Works on a branch of main, commits it, and merges it into main if it passes. Returns what check says of it. */
async function pullRequest(name: string, work: () => Promise<void> | void): Promise<RecordedRun> {
  fleet.git('switch', '--quiet', '--create', name, 'main')
  await work()
  fleet.commit(`pull-request-${name}`)
  const checked = await run('check', '--against', 'main', 'fleet')
  fleet.git('switch', '--quiet', 'main')
  if (checked.exitCode === 0) fleet.git('merge', '--quiet', name)
  return checked
}

const editBase = (before: string, after: string) => fleet.replace('fleet/base.yaml', before, after)
const UPSTREAM = 'package: cert-manager\n      revision: 3'

/** Each test is one step of the release, on the repository that the steps before left. */
describe('a release goes from canary to world', () => {
  test('a newer revision is there for the first ring', async () => {
    expect(await run('outdated', '--no-render', 'fleet')).toMatchObject({ exitCode: 2 })
    expect(onMain()).toEqual({ canary: ['1.3 × 2'], europe: ['1.3 × 9'], world: ['1.3 × 19'] })
  })

  test('the canaries get it in a pull request', async () => {
    const checked = await pullRequest('canary', async () => {
      expect(await run(...PROMOTE, '--to', '4', '--ring', 'canary', 'fleet')).toMatchObject({ exitCode: 0 })
      expect(await run('render', 'fleet')).toMatchObject({ exitCode: 0 })
      expect(await run('diff', 'main', 'fleet')).toMatchObject({ exitCode: 2 })
    })
    expect(checked).toMatchObject({ exitCode: 0 })
    expect(onMain()).toEqual({ canary: ['1.4 × 2'], europe: ['1.3 × 9'], world: ['1.3 × 19'] })
  })

  test('a person edits a package in Europe, and the edit shows', async () => {
    fleet.replace('fleet/packages/ham-01/cert-manager/cert-manager.yaml', 'replicas: 1', 'replicas: 3')
    fleet.commit('edit')
    const { stdout } = await run('rings', '--package', 'cert-manager', 'fleet')
    expect(stdout).toContain('europe, edited: ham-01/cert-manager')
  })

  test('a pull request that raises every other ring is refused with the line', async () => {
    const { exitCode, stdout } = await pullRequest('everywhere', () => editBase(UPSTREAM, UPSTREAM.replace('3', '4')))
    expect({ exitCode, found: /^fleet\/base\.yaml:13:17: error: .* \[rings-at-once\]$/m.test(stdout) }).toEqual({
      exitCode: 1,
      found: true,
    })
  })

  test('a pull request that raises two rings with two lines is refused with the line', async () => {
    const { exitCode, stdout } = await pullRequest('two', () => {
      editBase('cert-manager: 4', 'cert-manager: 5')
      editBase("== 'eu'\n", "== 'eu'\n      revisions: {cert-manager: 4}\n")
    })
    expect({ exitCode, found: /^fleet\/base\.yaml:56:33: error: .* \[rings-at-once\]$/m.test(stdout) }).toEqual({
      exitCode: 1,
      found: true,
    })
  })

  test('a pull request that skips the canaries is refused with the line', async () => {
    const { exitCode, stdout } = await pullRequest('skip', () => editBase("== 'eu'\n", "== 'eu'\n      revisions: {cert-manager: 5}\n"))
    expect({ exitCode, found: /^fleet\/base\.yaml:56:33: error: .* \[ring-skipped\]$/m.test(stdout) }).toEqual({ exitCode: 1, found: true })
    expect(stdout).toContain('cert-manager has revision 3 here, and 5 in ring europe')
    expect(onMain()).toEqual({ canary: ['1.4 × 2'], europe: ['1.3 × 9'], world: ['1.3 × 19'] })
  })

  test('Europe gets the line, and until its packages are rendered the world must wait', async () => {
    await pullRequest('europe', async () => {
      expect(await run(...PROMOTE, '--to', '4', '--ring', 'europe', 'fleet')).toMatchObject({ exitCode: 0 })
    })
    expect(await run(...PROMOTE, '--to', '4', '--ring', 'world', 'fleet')).toMatchObject({ exitCode: 1, stdout: '' })
    const { exitCode, stdout } = await pullRequest('early', async () => {
      editBase(UPSTREAM, UPSTREAM.replace('3', '4'))
      await fleet.run('render', 'fleet')
    })
    expect({ exitCode, found: /^fleet\/base\.yaml:13:17: error: .* \[ring-overtaken\]$/m.test(stdout) }).toEqual({
      exitCode: 1,
      found: true,
    })
    expect(onMain()).toEqual({ canary: ['1.4 × 2'], europe: ['1.3 × 9'], world: ['1.3 × 19'] })
  })

  test('the packages of Europe are rendered, with the edit of the person', async () => {
    const checked = await pullRequest('rendered', async () => {
      expect(await run('render', 'fleet')).toMatchObject({ exitCode: 0 })
    })
    expect(checked).toMatchObject({ exitCode: 0 })
    expect(fleet.git('show', 'main:fleet/packages/ham-01/cert-manager/cert-manager.yaml')).toContain('replicas: 3')
    expect(onMain()).toEqual({ canary: ['1.4 × 2'], europe: ['1.4 × 9'], world: ['1.3 × 19'] })
  })

  test('the world gets it last', async () => {
    const checked = await pullRequest('world', async () => {
      expect(await run(...PROMOTE, '--to', '4', '--ring', 'world', 'fleet')).toMatchObject({ exitCode: 0 })
      expect(await run('render', 'fleet')).toMatchObject({ exitCode: 0 })
    })
    expect(checked).toMatchObject({ exitCode: 0 })
    expect(onMain()).toEqual({ canary: ['1.4 × 2'], europe: ['1.4 × 9'], world: ['1.4 × 19'] })
    expect(await run('rings', '--package', 'cert-manager', 'fleet')).toMatchObject({ exitCode: 0 })
  })

  test('the next release begins, and meets the edit of the person', async () => {
    const checked = await pullRequest('next', async () => {
      expect(await run('outdated', '--write', '--ring', 'canary', 'fleet')).toMatchObject({ exitCode: 0 })
      expect(await run('render', 'fleet')).toMatchObject({ exitCode: 0 })
    })
    expect(checked).toMatchObject({ exitCode: 0 })
    const { exitCode, stdout } = await run('outdated', '--ring', 'europe', 'fleet')
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('1 package with edits that lose') })
    expect(onMain()).toEqual({ canary: ['1.5 × 2'], europe: ['1.4 × 9'], world: ['1.4 × 19'] })
  })

  test('docs/releases.md shows these steps in their order, with the output of the commands', () => {
    const text = readFileSync(join(ROOT, 'docs/releases.md'), 'utf8')
    const shown = Array.from(text.matchAll(/```text\n\$ krm-variants (.*)\n([\s\S]*?)```/g), ([, command = '', output = '']) => ({
      command,
      output,
    }))
    expect(shown.length).toBeGreaterThan(8)
    let at = 0
    for (const { command, output } of shown) {
      const found = said.findIndex((each, index) => index >= at && each.command === command && isSaid(output, each))
      expect({ command, output, isSaid: found !== -1 }).toEqual({ command, output, isSaid: true })
      at = found + 1
    }
  })
})

/** Returns true if a text is what a command said to stdout, or parts of all that it said, with … for lines that are left out. */
function isSaid(shown: string, { stdout, both }: (typeof said)[number]): boolean {
  const parts = shown.split(/^…\n/m).filter((part) => part !== '')
  return shown === stdout || parts.every((part) => both.includes(part))
}
