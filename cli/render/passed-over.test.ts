import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const cluster = (name: string) =>
  `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata:\n  name: ${name}\n  labels: {env: prod}\nspec: {type: git, git: {repo: "https://git.example.com/f.git", branch: main, directory: /${name}}}\n`
const BER = cluster('ber')
const indented = (text: string, first: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line, at) => `${at === 0 ? first : '  '}${line}\n`)
    .join('')

/** A rendered fleet of three clusters, and the same fleet with the files of its variants, both committed. Tests change copies. */
let rendered: TestRepository
let written: TestRepository
const folder = mkdtempSync(join(tmpdir(), 'krm-variants-passed-over-'))

beforeAll(async () => {
  rendered = await renderedFleet()
  written = rendered.copyTo(join(folder, 'written'))
  await written.run('fn', 'fan-out', 'fleet', '--write')
  for (const fleet of [rendered, written]) fleet.commit('all')
})

afterAll(() => rmSync(folder, { recursive: true }))

async function renderedFleet(): Promise<TestRepository> {
  const fleet = new TestRepository(join(folder, 'rendered'))
  for (const name of ['ams', 'ber', 'nyc']) fleet.write(`fleet/${name}.yaml`, cluster(name))
  fleet.write(
    'fleet/set.yaml',
    'apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: s}\nspec:\n  upstream: {repo: catalog, package: web, revision: 1}\n  targets:\n  - objectSelector: {apiVersion: config.porch.kpt.dev/v1alpha1, kind: Repository, matchLabels: {env: prod}}\n    template: {downstream: {repoExpr: target.name, package: web}}\n',
  )
  fleet.write(
    'fleet/render.yaml',
    'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: r}\nspec: {out: packages}\n',
  )
  fleet.write('fleet/catalog/web@v1/Kptfile', 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n')
  await fleet.run('render', 'fleet')
  return fleet
}

const GUARD = 'the packages that would be removed (ber/web)'
/** The cluster as an entry that has neither kind nor apiVersion. */
const ENTRY = indented(BER.replace(/^[\s\S]*?(?=metadata)/, ''), '- ')
const VARIANT_GUARD = 'the variants that would be removed (s-ber-web)'

const PASSED_OVER = [
  ['without a kind', BER.replace('kind: Repository\n', '')],
  ['with null for a kind', BER.replace('Repository', 'null')],
  ['without an apiVersion', BER.replace(/^apiVersion.*\n/, '')],
  ['of a misspelt group', BER.replace('porch.kpt.dev', 'porch.kpt.dv')],
  ['of a version that is not served', BER.replace('v1alpha1', 'v1alpha9')],
  ['of a misspelt kind', BER.replace('Repository', 'Repositry')],
  ['of an encrypted kind', BER.replace('Repository', 'ENC[AES256_GCM,data:x]')],
  ['in a List', `apiVersion: v1\nkind: List\nitems:\n${indented(BER, '- ')}`],
  ['in a list', indented(BER, '- ')],
  ['in a map of clusters', `clusters:\n  ber:\n${BER.replaceAll(/^/gm, '    ').trimEnd()}\n`],
  ['with misspelt labels', BER.replace('labels', 'lables')],
  ['with labels that are no map', BER.replace('{env: prod}', '[env, prod]')],
  ['with a map among its labels', BER.replace('{env: prod}', '{<<: {env: prod}}')],
  ['with a label without a value', BER.replace('env: prod', 'env:')],
  ['with a number for a label', BER.replace('env: prod', 'env: 7')],
  ['with a boolean for a label', BER.replace('env: prod', 'env: true')],
  ['with labels outside of its metadata', BER.replace('  labels', 'labels')],
  ['in a List that misspells its kind', `apiVersion: v1\nkind: List\nitems:\n${indented(BER.replace('kind', 'kid'), '- ')}`],
  ['in a List without its kind and apiVersion', `apiVersion: v1\nkind: List\nitems:\n${ENTRY}`],
  ['in a list of a kind of its own', `apiVersion: v1\nkind: RepositoryList\nitems:\n${ENTRY}`],
  ['in a list that misspells its kind', indented(BER.replace('kind', 'kid'), '- ')],
  ['in items without a kind', `items:\n${indented(BER.replace('kind', 'kid'), '- ')}`],
  ['with the name of another one', BER.replace('name: ber', 'name: ams')],
  ['with the name of another one, in the namespace that counts for it', BER.replace('name: ber', 'name: ams\n  namespace: default')],
  ['in another namespace', BER.replace('name: ber', 'name: ber\n  namespace: defalt')],
  ['in a list of JSON', '[{"apiVersion": "config.porch.kpt.dev/v1alpha1", "kind": "Repository", "metadata": {"name": "ber"}}]'],
] as const

test.each(PASSED_OVER)(
  'a cluster %s is passed over, and neither its packages nor the files of its variants are removed',
  async (_, text) => {
    for (const [state, args, guard, kept] of [
      [rendered, ['render', 'fleet'], GUARD, 'packages/ber/web/Kptfile'],
      [written, ['fn', 'fan-out', 'fleet', '--write'], VARIANT_GUARD, 'variants/s/s-ber-web.yaml'],
    ] as const) {
      const fleet = state.copyTo(testFolder())
      fleet.write('fleet/ber.yaml', text)
      await expectRefused(fleet, args, guard)
      expect(existsSync(join(fleet.folder, 'fleet', kept))).toBe(true)
    }
  },
)

/** One of each cause for which an object is passed over. */
const CAUSES = PASSED_OVER.filter(([form]) =>
  ['without a kind', 'in a list', 'with misspelt labels', 'in another namespace'].includes(form),
)

test.each(CAUSES)('no command takes a cluster %s for gone', async (_, text) => {
  expect(CAUSES).toHaveLength(4)
  const packages = rendered.copyTo(testFolder())
  packages.write('fleet/ber.yaml', text)
  for (const command of ['check', 'plan', 'diff']) await expectRefused(packages, [command, 'fleet'], GUARD)
  const variants = written.copyTo(testFolder())
  variants.write('fleet/ber.yaml', text)
  for (const command of ['plan fleet', 'check fleet', 'render fleet', 'sync fleet --for flux'])
    await expectRefused(variants, command.split(' '), VARIANT_GUARD)
  for (const folder of ['variants', 'packages']) variants.remove(`fleet/${folder}`)
  await expectRefused(variants, ['plan', '--against', 'HEAD', 'fleet'], VARIANT_GUARD)
})

test.each(['ber.yaml.bak', 'ber.yaml.j2', 'ber'])('no command takes a cluster in a file that was renamed to %s for gone', async (name) => {
  for (const [state, commands, guard] of [
    [rendered, ['check fleet', 'plan fleet', 'diff fleet', 'render fleet'], GUARD],
    [written, ['plan fleet', 'fn fan-out fleet --write'], VARIANT_GUARD],
  ] as const) {
    const fleet = state.copyTo(testFolder())
    renameSync(join(fleet.folder, 'fleet/ber.yaml'), join(fleet.folder, 'fleet', name))
    for (const command of commands) await expectRefused(fleet, command.split(' '), guard)
  }
})

test.each([
  ['another folder', '../shared', 'such links are not followed'],
  ['nothing', '../share', "leads to '../share', which does not exist"],
])('no command takes a cluster behind a link to %s for gone', async (_, target, reason) => {
  const fleet = rendered.copyTo(testFolder())
  fleet.remove('fleet/ber.yaml')
  fleet.write('shared/ber.yaml', BER)
  symlinkSync(target, join(fleet.folder, 'fleet', 'shared'))
  for (const command of ['check', 'plan', 'diff', 'rings', 'render']) {
    await expectRefused(fleet, [command, 'fleet'], GUARD, reason)
  }
  expect(existsSync(join(fleet.folder, 'fleet/packages/ber/web/Kptfile'))).toBe(true)
  fleet.write('fleet/.krmignore', 'shared/\n')
  const { exitCode, stderr } = await fleet.run('render', 'fleet')
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("package 'ber/web' is removed")])
})

test.each([
  ['is not mounted', '/nowhere/clusters', "leads to '/nowhere/clusters', which does not exist"],
  ['is mounted without its files', '../mnt', 'such links are not followed, as in kpt'],
])('no command takes clusters for gone whose folder became a link to what %s', async (_, target, reason) => {
  const fleet = rendered.copyTo(testFolder())
  fleet.remove('fleet/ber.yaml')
  fleet.write('fleet/clusters/ber.yaml', BER)
  fleet.commit('clusters in a folder')
  fleet.remove('fleet/clusters')
  mkdirSync(join(fleet.folder, 'mnt'))
  symlinkSync(target, join(fleet.folder, 'fleet/clusters'))
  for (const state of ['not committed', 'committed']) {
    for (const command of ['check', 'plan', 'render']) {
      await expectRefused(fleet, [command, 'fleet'], GUARD, `${reason}, and git had objects in the place of the link ('ber.yaml')`)
    }
    if (state === 'not committed') fleet.commit('a link')
  }
  fleet.write('fleet/.krmignore', 'clusters\n')
  const { exitCode, stderr } = await fleet.run('render', 'fleet')
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("package 'ber/web' is removed")])
})

test('links behind which no objects of the fleet lie are no reason to keep a package, and no warning', async () => {
  const fleet = rendered.copyTo(testFolder())
  fleet.write('website/mkdocs.yml', 'site_name: docs\n')
  fleet.write('website/package.json', '{"name": "site"}\n')
  fleet.write('charts/app/Chart.yaml', 'apiVersion: v2\nname: app\n')
  fleet.write('charts/app/templates/ber.yaml', BER)
  fleet.write('node_modules/x/ber.yaml', BER)
  for (const [name, target] of [
    ['node_modules', '../node_modules'],
    ['site', '../website'],
    ['chart', '../charts/app'],
    ['self', '..'],
    ['result', '/nowhere/store/result'],
  ] as const)
    symlinkSync(target, join(fleet.folder, 'fleet', name))
  fleet.remove('fleet/ber.yaml')
  const plan = await fleet.run('plan', 'fleet')
  expect(`${plan.stdout}${plan.stderr}`).not.toMatch(/warning|error/)
  const { exitCode, stderr } = await fleet.run('render', 'fleet')
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("package 'ber/web' is removed")])
})

test('a cluster that was moved to the namespace of another set goes in one run, once `maxDeletions` says so', async () => {
  const moved = (state: TestRepository) => {
    const fleet = state.copyTo(testFolder())
    fleet.commit('all')
    const set = readFileSync(join(fleet.folder, 'fleet/set.yaml'), 'utf8')
    fleet.write('fleet/team.yaml', set.replace('name: s', 'name: t, namespace: team').replace('package: web}}', 'package: shop}}'))
    fleet.write('fleet/ber.yaml', BER.replace('name: ber', 'name: ber\n  namespace: team'))
    return fleet
  }
  const meant = [
    ['fleet/render.yaml', 'out: packages', 'out: packages, maxDeletions: 1'],
    ['fleet/Kptfile', 'lookups: optional', 'maxDeletions: "1"'],
  ] as const
  for (const [state, commands, last] of [
    [rendered, ['check fleet', 'plan fleet', 'diff fleet', 'sync fleet --for flux', 'render fleet'], 'packages/ber/shop/Kptfile'],
    [written, ['check fleet', 'plan fleet', 'diff fleet', 'sync fleet --for flux', 'render fleet'], 'packages/ber/shop/Kptfile'],
    [written, ['fn fan-out fleet --write'], 'variants/t/t-ber-shop.yaml'],
  ] as const) {
    const fleet = moved(state)
    fleet.write(
      'fleet/Kptfile',
      'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: fleet}\npipeline:\n  mutators:\n  - {image: fan-out, configMap: {lookups: optional}}\n',
    )
    for (const command of commands) {
      const { stdout, stderr, exitCode } = await fleet.run(...command.split(' '))
      expect([command, exitCode, `${stdout}${stderr}`]).toEqual([command, 1, expect.stringContaining('maxDeletions')])
    }
    for (const [path, before, after] of meant) fleet.replace(path, before, after)
    for (const command of commands) {
      const { stdout, stderr, exitCode } = await fleet.run(...command.split(' '))
      expect([command, [0, 2].includes(exitCode), `${stdout}${stderr}`]).toEqual([command, true, expect.stringContaining('maxDeletions')])
    }
    expect(readFileSync(join(fleet.folder, 'fleet', last), 'utf8')).toContain('shop')
  }
})

test('a cluster that was moved into a rendered package is not gone for any command', async () => {
  for (const [state, guard, commands] of [
    [rendered, GUARD, ['render fleet', 'check fleet', 'plan fleet', 'diff fleet', 'sync fleet --for flux']],
    [written, VARIANT_GUARD, ['plan fleet', 'check fleet', 'sync fleet --for flux', 'fn fan-out fleet --write']],
    [written, GUARD, ['render fleet', 'diff fleet']],
  ] as const) {
    const fleet = state.copyTo(testFolder())
    fleet.write('fleet/packages/ams/web/ber.yaml', BER)
    rmSync(join(fleet.folder, 'fleet/ber.yaml'))
    for (const command of commands) await expectRefused(fleet, command.split(' '), guard)
    const { stdout, stderr } = await fleet.run('check', 'fleet')
    expect(`${stdout}${stderr}`).toContain("fleet/packages/ams/web/ber.yaml:4:9: error: Repository 'ber' must not be in a rendered package")
  }
})

/** Expects that a command fails, says each of the reasons, and names the cluster once at most. */
async function expectRefused(repository: TestRepository, args: readonly string[], ...reasons: readonly string[]): Promise<void> {
  const { stdout, stderr, exitCode } = await repository.run(...args)
  const said = `${stdout}${stderr}`
  for (const why of reasons) expect([args, exitCode, said]).toEqual([args, 1, expect.stringContaining(why)])
  expect([args, said.match(/ber\.yaml:.*\[deletion-guard\]/g) ?? []]).toEqual([
    args,
    expect.toSatisfy((times: unknown[]) => times.length < 2),
  ])
}

test('an object in the package of a variant declares nothing, and is no reason to keep another variant', async () => {
  const other = written.copyTo(testFolder())
  other.write('fleet/packages/ams/web/odd.yaml', 'metadata: {name: odd}\n')
  rmSync(join(other.folder, 'fleet/ber.yaml'))
  expect((await other.run('fn', 'fan-out', 'fleet', '--write')).exitCode).toBe(0)
})

test('what is no object of a fleet is no reason to keep a package, and a passed-over object none to fail without a removal', async () => {
  const other = rendered.copyTo(testFolder())
  other.write('fleet/note.yaml', cluster('x').replace('Repository', 'null'))
  expect((await other.run('render', 'fleet')).exitCode).toBe(0)
  other.write('fleet/note.yaml', 'services: {web: {image: nginx}}\n')
  other.write('fleet/list.yaml', '- one\n- two\n---\nitems: [{name: ber}, ber]\n')
  other.write(
    'fleet/apps.yaml',
    'apiVersion: apps/v1\nkind: DeploymentList\nitems: [{metadata: {name: web}}]\n---\napiVersion: example.com/v1\nkind: Repository\nmetadata: {name: r}\n',
  )
  other.write('fleet/patch.yaml', '- op: add\n  path: /metadata/labels/env\n  value: prod\n')
  // No set selects by Deployments.
  other.write('fleet/web.yaml', 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, labels: {part-of: }}\n')
  rmSync(join(other.folder, 'fleet/ber.yaml'))
  const { exitCode, stderr } = await other.run('render', 'fleet')
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("package 'ber/web' is removed")])
})

test.each([
  ['without a kind', (text: string) => text.replace('kind: PackageVariant\n', '')],
  ['of a misspelt kind', (text: string) => text.replace('PackageVariant', 'PackageVarient')],
  ['in a List', (text: string) => `apiVersion: v1\nkind: List\nitems:\n${indented(text, '- ')}`],
  ['in a list', (text: string) => indented(text, '- ')],
])('a variant %s is passed over, and is not made once more', async (_, change) => {
  const variants = written.copyTo(testFolder())
  const path = 'fleet/variants/s/s-ber-web.yaml'
  const text = change(readFileSync(join(variants.folder, path), 'utf8'))
  variants.write(path, text)
  for (const command of ['plan fleet', 'fn fan-out fleet --write', 'render fleet'])
    await expectRefused(variants, command.split(' '), 'it may be the variant that would be made (s-ber-web)')
  expect(readFileSync(join(variants.folder, path), 'utf8')).toBe(text)
})

test('no command that asks for the places of packages takes a cluster that is passed over for gone', async () => {
  const fleet = rendered.copyTo(testFolder())
  await fleet.run('sync', 'fleet', '--for', 'flux')
  fleet.commit('all')
  fleet.write('fleet/ber.yaml', BER.replace('Repository', 'Repositry'))
  const commands = [
    'sync fleet --for flux',
    'graph fleet',
    'rings fleet',
    'outdated fleet',
    'resolve fleet',
    'simulate fleet',
    'diff fleet',
  ]
  for (const command of commands) {
    const { stderr, exitCode } = await fleet.run(...command.split(' '))
    expect([command, exitCode, stderr]).toEqual([command, 1, expect.stringContaining('packages that would be removed (ber/web)')])
  }
  expect((await fleet.run('sync', 'fleet', '--for', 'flux')).stdout).not.toContain('prune')
})

test('a new cluster with misspelt labels has no package, and check says why', async () => {
  const fleet = rendered.copyTo(testFolder())
  fleet.write('fleet/osl.yaml', cluster('osl').replace('labels', 'lables'))
  const { stdout, exitCode } = await fleet.run('check', 'fleet')
  expect([exitCode, stdout]).toEqual([
    1,
    expect.stringContaining(
      "fleet/osl.yaml:5:3: error: `metadata.lables` is not a field of metadata; did you mean 'labels'? [unknown-field]",
    ),
  ])
})

test.each([
  ['ber.ymal', 'a misspelt ending', Buffer.from(BER)],
  ['ber.yaml.txt', 'two endings', Buffer.from(BER)],
  ['ber.ymal', 'a misspelt ending in UTF-16', Buffer.from(`\ufeff${BER}`, 'utf16le')],
  ['ber.ymal', 'a misspelt ending with the conflict of a merge', Buffer.from(`<<<<<<< HEAD\n${BER}`)],
])('a cluster in the file %s, with %s, is no reason to remove its packages', async (name, _, bytes) => {
  const fleet = rendered.copyTo(testFolder())
  rmSync(join(fleet.folder, 'fleet/ber.yaml'))
  writeFileSync(join(fleet.folder, 'fleet', name), bytes)
  for (const command of ['plan', 'render', 'check', 'diff']) await expectRefused(fleet, [command, 'fleet'], GUARD)
  expect(existsSync(join(fleet.folder, 'fleet/packages/ber/web/Kptfile'))).toBe(true)
})

test('a misspelt cluster is no reason to leave its packages to themselves: without their owner no later run would update them', async () => {
  const fleet = rendered.copyTo(testFolder())
  fleet.replace('fleet/set.yaml', 'package: web}}', 'package: web}, deletionPolicy: orphan}')
  await fleet.run('render', 'fleet')
  fleet.replace('fleet/ber.yaml', 'Repository', 'Repositry')
  for (const command of ['render', 'check']) await expectRefused(fleet, [command, 'fleet'], 'that would be left to themselves (ber/web)')
})

test('an object that no set selects, in a file with a misspelt ending, is a warning and stops no removal', async () => {
  const fleet = rendered.copyTo(testFolder())
  fleet.write('fleet/example.yaml.txt', 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n')
  rmSync(join(fleet.folder, 'fleet/ber.yaml'))
  const { exitCode, stderr } = await fleet.run('render', 'fleet')
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('fleet/example.yaml.txt: warning: must have the ending')])
})
