import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'

const CASE = fileURLToPath(new URL('../../testdata/cli/promote/input', import.meta.url))
const EUROPE = "'store-kel-01']\"}"
const WORLD = 'revision: 3}'

let fleet: TestRepository
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'krm-variants-check-rings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  fleet = new TestRepository(folder)
  cpSync(CASE, folder, { recursive: true })
  fleet.commit('start')
})

const edit = (before: string, after: string) => fleet.replace('tills.yaml', before, after)
const europeAt = (revision: number) => edit(EUROPE, EUROPE.replace('}', `, revisions: {tills: ${revision}}}`))

/** Returns the findings about rings of a check against the first commit, without those of other rules. */
async function findings(ref = 'start'): Promise<readonly string[]> {
  const { stdout } = await fleet.run('check', '--against', ref, '--format', 'github', '.')
  return stdout.split('\n').filter((line) => /rings?-(skipped|overtaken|at-once)/.test(line))
}

describe('a change by hand', () => {
  test('that gives the next ring the revision of the one before is allowed', async () => {
    europeAt(4)
    expect(await findings()).toEqual([])
    expect((await fleet.run('check', '--against', 'start', '.')).exitCode).toBe(0)
  })

  test('that gives the first ring a newer revision is allowed', async () => {
    edit('{tills: 4}', '{tills: 5}')
    expect(await findings()).toEqual([])
  })

  test('that skips a ring is refused with the line', async () => {
    europeAt(5)
    expect(await findings()).toEqual([
      "::error file=tills.yaml,line=19,col=97,title=ring-skipped::`spec.rings[1].revisions.tills` of ring 'europe' must not be 'v5' before ring 'canary' has it, which has 'v4' (tills.yaml:18): a revision goes from ring to ring",
    ])
    expect((await fleet.run('check', '--against', 'start', '.')).exitCode).toBe(1)
  })

  test('that raises two rings with one line is refused', async () => {
    edit(WORLD, 'revision: 4}')
    expect(await findings()).toEqual([
      "::error file=tills.yaml,line=8,col=47,title=rings-at-once::`spec.upstreams[0].revision` of ring 'world' must not be raised to 'v4' together with that of ring 'europe', which has no revision of its own and needs one first",
    ])
  })

  test('that raises two rings with two lines is refused', async () => {
    edit('{tills: 4}', '{tills: 5}')
    europeAt(5)
    const found = await findings()
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(
      "line=19,col=97,title=rings-at-once::`spec.rings[1].revisions.tills` of ring 'europe' must not be raised to 'v5'",
    )
    expect(found[0]).toContain("together with that of ring 'canary', 'v4' → 'v5' (tills.yaml:18): one ring in one change")
  })

  test('that overtakes a ring whose packages were not there is refused, even if it renders these packages too', async () => {
    edit('{tills: 4}', '{tills: 5}')
    fleet.commit('canary')
    europeAt(5)
    const waits = [
      "::error file=tills.yaml,line=19,col=97,title=ring-overtaken::`spec.rings[1].revisions.tills` of ring 'europe' must wait for ring 'canary': 1 of 1 package is not at 'v5' yet, store-ber-01/tills (v4)",
    ]
    expect(await findings('canary')).toEqual(waits)
    expect((await fleet.run('render', '.')).exitCode).toBe(0)
    expect(await findings('canary')).toEqual(waits)
  })

  test('that takes a revision back from the last rings is allowed, and from the first alone is not', async () => {
    edit(WORLD, 'revision: 4}')
    europeAt(4)
    fleet.commit('everywhere')
    edit('{tills: 4} #', '{tills: 3} #')
    expect((await findings('everywhere'))[0]).toContain("of ring 'canary' must not go back to 'v3' before ring 'europe' does")
    edit('revision: 4}', WORLD)
    edit(', revisions: {tills: 4}}', '}')
    expect(await findings('everywhere')).toEqual([])
  })

  test('that adds a ring between others is judged by the revision that its targets had', async () => {
    edit('  - {name: europe', '  - {name: asia, where: "false", revisions: {tills: 5}}\n  - {name: europe')
    expect((await findings())[0]).toContain("of ring 'asia' must not be 'v5' before ring 'canary' has it")
  })

  test('that adds rings to a matrix is judged from the revision of its upstream', async () => {
    const [head = ''] = [fleet.git('show', 'start:tills.yaml').split('  rings:')[0]]
    const rings = fleet.git('show', 'start:tills.yaml').slice(head.length)
    fleet.write('tills.yaml', head)
    fleet.commit('without')
    fleet.write('tills.yaml', `${head}${rings}\n`)
    expect(await findings('without')).toEqual([])
    edit(WORLD, 'revision: 4}')
    expect((await findings('without')).map((line) => /title=([a-z-]+)/.exec(line)?.[1])).toEqual(['rings-at-once', 'rings-at-once'])
  })
})

test('packages outside of the folder of the fleet are read at the revision', async () => {
  const files = ['tills.yaml', 'render.yaml']
  for (const name of files) fleet.write(`fleet/${name}`, fleet.git('show', `start:${name}`).replace('out: clusters', 'out: ../clusters'))
  cpSync(join(CASE, 'catalog'), join(fleet.folder, 'fleet/catalog'), { recursive: true })
  for (const name of [...files, 'catalog']) fleet.remove(name)
  fleet.commit('moved')
  fleet.replace('fleet/tills.yaml', EUROPE, EUROPE.replace('}', ', revisions: {tills: 4}}'))
  const { stdout } = await fleet.run('check', '--against', 'moved', '--format', 'github', 'fleet')
  expect(stdout).not.toContain('ring-overtaken')
  fleet.remove('clusters/store-ber-01')
  fleet.commit('lost')
  fleet.replace('fleet/tills.yaml', 'revisions: {tills: 4}}', 'revisions: {tills: 3}}')
  fleet.commit('back')
  fleet.replace('fleet/tills.yaml', 'revisions: {tills: 3}}', 'revisions: {tills: 4}}')
  const again = await fleet.run('check', '--against', 'back', '--format', 'github', 'fleet')
  expect(again.stdout).toMatch(/file=fleet\/tills\.yaml,line=\d+,.*ring-overtaken.*store-ber-01\/tills \(missing\)/)
})

test('a fleet whose packages are elsewhere has a warning, since it is not known whether they are there', async () => {
  fleet.remove('clusters')
  fleet.commit('elsewhere')
  europeAt(4)
  expect(await findings('elsewhere')).toEqual([
    "::warning file=tills.yaml,line=19,col=97,title=ring-overtaken::`spec.rings[1].revisions.tills` of ring 'europe' may overtake ring 'canary': no package of the fleet is found, neither a Kptfile nor a PackageRevision, so it is not known whether its packages are at 'v4'",
  ])
})

test.each([
  { args: ['--against', 'nowhere', '.'], message: "--against 'nowhere': git knows no such revision" },
  { args: ['--against', '', '.'], message: '`--against` must name a git revision, such as origin/main, got an empty text' },
  { args: ['--against', 'start', '-'], message: '`--against` must have a folder to compare, got -' },
])('check $args is refused', async ({ args, message }) => {
  expect(await fleet.run('check', ...args)).toMatchObject({ exitCode: 1, stdout: '', stderr: `krm-variants: ${message}\n` })
})
