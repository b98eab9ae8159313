import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const CASE = fileURLToPath(new URL('../../testdata/cli/promote/input', import.meta.url))
const EUROPE = "'store-kel-01']\"}"
const WORLD = 'revision: 3}'

let committed: TestRepository
beforeAll(() => {
  committed = new TestRepository(mkdtempSync(join(tmpdir(), 'krm-variants-check-rings-')))
  cpSync(CASE, committed.folder, { recursive: true })
  committed.commit('start')
})

afterAll(() => rmSync(committed.folder, { recursive: true }))

let fleet: TestRepository
beforeEach(() => {
  fleet = committed.copyTo(testFolder())
})

const edit = (before: string, after: string) => fleet.replace('tills.yaml', before, after)
const europeAt = (revision: number) => edit(EUROPE, EUROPE.replace('}', `, revisions: {tills: ${revision}}}`))

/** Returns the findings about rings of a check against the first commit, without those of other rules. */
async function findings(ref = 'start'): Promise<readonly string[]> {
  const { stdout } = await fleet.run('check', '--against', ref, '--format', 'github', '.')
  return stdout.split('\n').filter((line) => /rings?-(skipped|overtaken|at-once|left|not-compared)/.test(line))
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
      "::error file=tills.yaml,line=8,col=47,title=rings-at-once::`spec.upstreams[0].revision` of ring 'world' must not be raised to 'v4' together with that of ring 'europe', which has no revision of its own and takes this one: promote ring 'europe' to 'v4' first",
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

describe('a change that takes packages out of their rings', () => {
  const head = () => fleet.git('show', 'start:tills.yaml').split('  rings:')[0] ?? ''
  const rename = () => edit('name: tills\n', 'name: shops\n')
  const moved = (to: number) => fleet.replace('moved/tills.yaml', WORLD, `revision: ${to}}`)

  test('by the removal of the rings is refused, if the packages get another revision', async () => {
    fleet.write('tills.yaml', head().replace(WORLD, 'revision: 5}'))
    expect(await findings()).toEqual([
      "::error file=tills.yaml,line=8,col=47,title=ring-left::`spec.upstreams[0].revision` must not be 'v5' in the change in which 4 packages of the rings of matrix 'tills' leave their rings, store-ber-01/tills (ring 'canary', v4), store-ham-01/tills (ring 'europe', v3), store-kel-01/tills (ring 'europe', v3) and 1 more: change the rings first, and the revision in another change",
    ])
    expect((await fleet.run('check', '--against', 'start', '.')).exitCode).toBe(1)
  })

  test('by a new name of the matrix is refused, if the packages get another revision, and allowed alone', async () => {
    rename()
    expect(await findings()).toEqual([])
    edit('{tills: 4}', '{tills: 5}')
    expect(await findings()).toEqual([
      "::error file=tills.yaml,line=18,col=24,title=ring-left::`spec.rings[0].revisions.tills` must not be 'v5' in the change in which 1 package of the rings of matrix 'tills' leaves its ring, store-ber-01/tills (ring 'canary', v4): change the rings first, and the revision in another change",
    ])
  })

  test('by the removal of all rings but the last is refused', async () => {
    const last = `${head()}  rings:\n  - {name: world}\n`
    fleet.write('tills.yaml', last.replace(WORLD, 'revision: 5}'))
    expect(await findings()).toEqual([
      "::error file=tills.yaml,line=8,col=47,title=ring-left::`spec.upstreams[0].revision` must not be 'v5' in the change in which 3 packages of the rings of matrix 'tills' leave their rings, store-ber-01/tills (ring 'canary', v4), store-ham-01/tills (ring 'europe', v3), store-kel-01/tills (ring 'europe', v3): change the rings first, and the revision in another change",
    ])
  })

  test('by a ring that takes all targets is refused with a new revision, and not compared with the one that the ring had', async () => {
    edit("where: target.repo == 'store-ber-01'", 'where: "true"')
    expect(await findings()).toEqual([])
    edit('{tills: 4}', '{tills: 5}')
    expect(await findings()).toEqual([
      "::error file=tills.yaml,line=18,col=24,title=ring-left::`spec.rings[0].revisions.tills` must not be 'v5' in the change in which 3 packages of the rings of matrix 'tills' leave their rings, store-ham-01/tills (ring 'europe', v3), store-kel-01/tills (ring 'europe', v3), store-bre-01/tills (ring 'world', v3): change the rings first, and the revision in another change",
    ])
  })

  test('by variants that are written by hand is refused', async () => {
    fleet.write(
      'tills.yaml',
      'apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: tills, namespace: fleet}\nspec:\n  upstream: {repo: catalog, package: tills, revision: 5}\n  downstream: {repo: store-ham-01, package: tills}\n',
    )
    expect(await findings()).toEqual([
      "::error file=tills.yaml,line=5,col=55,title=ring-left::`spec.upstream.revision` must not be 'v5' in the change in which 1 package of the rings of matrix 'tills' leaves its ring, store-ham-01/tills (ring 'europe', v3): change the rings first, and the revision in another change",
    ])
  })

  test('of a fleet that moves to another folder is compared with the former folder, and of a copy with nothing', async () => {
    for (const name of ['tills.yaml', 'render.yaml', 'catalog', 'clusters']) {
      cpSync(join(fleet.folder, name), join(fleet.folder, 'fleet', name), { recursive: true })
      fleet.remove(name)
    }
    fleet.commit('one')
    cpSync(join(fleet.folder, 'fleet'), join(fleet.folder, 'moved'), { recursive: true })
    moved(4)
    const check = async () =>
      (await fleet.run('check', '--against', 'one', '--format', 'github', 'moved')).stdout
        .split('\n')
        .filter((line) => /title=rings?-/.test(line))
    expect(await check()).toEqual([
      "::warning file=moved/tills.yaml,line=15,col=3,title=rings-not-compared::`spec.rings` cannot be compared: 'one' has no folder 'moved', and no folder with the fleet that is gone since, so a revision that skips a ring is not seen",
    ])
    fleet.remove('fleet')
    expect(await check()).toEqual([
      "::error file=moved/tills.yaml,line=8,col=47,title=rings-at-once::`spec.upstreams[0].revision` of ring 'world' must not be raised to 'v4' together with that of ring 'europe', which has no revision of its own and takes this one: promote ring 'europe' to 'v4' first",
    ])
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
