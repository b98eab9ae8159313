import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const CLUSTER = `apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: ber}
spec: {type: git, deployment: true, git: {repo: "https://git.example.com/fleet.git", branch: main, directory: packages/ber}}
`

const OPTIONS = `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata: {name: options}
spec: {fleet: stores, out: packages, followRenames: true, allowEmpty: true, repositories: {catalog: {path: catalog}}}
`

const set = (upstream: string, template = '') => `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: dns}
spec:
  upstream: {repo: catalog, package: ${upstream}, revision: 1}
  targets: [{repositories: [{name: ber}]${template}}]
`

const OF_PEOPLE = '  timeout: 9m # the zone transfer is slow\n  suspend: true\n'

let fleet: TestRepository
const run = async (...args: readonly string[]) => {
  const { exitCode, stdout, stderr } = await fleet.run(...args)
  expect({ args, exitCode, said: exitCode === 0 ? '' : stdout + stderr }).toEqual({ args, exitCode: 0, said: '' })
  return stderr
}
const sync = (...args: readonly string[]) => run('sync', '.', '--for', 'flux', ...args)
const objectOf = (packageName: string) => readFileSync(join(fleet.folder, `flux/kustomization-ber-${packageName}.yaml`), 'utf8')

beforeEach(async () => {
  fleet = new TestRepository(testFolder())
  fleet.write('options.yaml', OPTIONS)
  fleet.write('ber.yaml', CLUSTER)
  fleet.write('set.yaml', set('dns'))
  for (const name of ['dns', 'bind', 'web']) {
    fleet.write(`catalog/${name}@v1/Kptfile`, `apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: ${name}}\n`)
    fleet.write(`catalog/${name}@v1/a.yaml`, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: zones, namespace: dns}\n')
  }
  await run('render', '.')
  await sync()
  fleet.replace('flux/kustomization-ber-dns.yaml', '  interval: 10m\n', `  interval: 10m\n${OF_PEOPLE}`)
  fleet.commit('start')
})

test.each([
  ['whose upstream package has another name', set('bind'), 'bind'],
  ['that has another name in its Repository', set('dns', ', template: {downstream: {package: names}}'), 'names'],
])('what people wrote for a package %s is in the new object, and goes with the old one', async (_, changed, name) => {
  fleet.write('set.yaml', changed)
  await run('render', '.')
  const said = await sync()
  expect(said).toContain(
    `flux/kustomization-ber-dns.yaml:11:12: info: \`spec.timeout\` is from people, as is \`spec.suspend\`; Kustomization 'ber-${name}', which deploys the same from now on, has them too [sync-moved]`,
  )
  expect(said).not.toContain('sync-edit-left')
  expect(objectOf(name)).toContain(`  interval: 10m\n${OF_PEOPLE}  path: ./packages/ber/${name}\n  prune: true\n`)
  fleet.commit('moved')
  expect(await sync('--remove', 'ber-dns')).not.toContain('sync-edit-left')
  expect(objectOf(name)).toContain(OF_PEOPLE)
})

test.each([
  ['whose upstream package has another name', set('bind'), 'bind'],
  ['that has another name in its Repository', set('dns', ', template: {downstream: {package: names}}'), 'names'],
])('what people wrote for a package %s is in the new object too if `sync` runs before `render`', async (_, changed, name) => {
  fleet.write('set.yaml', changed)
  const said = await sync()
  expect(said).toContain(`Kustomization 'ber-${name}', which deploys the same from now on, has them too [sync-moved]`)
  expect(said).not.toContain('sync-edit-left')
  await run('render', '.')
  fleet.commit('moved')
  expect(await sync('--remove', 'ber-dns')).not.toContain('sync-edit-left')
  expect(objectOf(name)).toContain(`  interval: 10m\n${OF_PEOPLE}  path: ./packages/ber/${name}\n  prune: true\n`)
})

test('a package that comes before `render` is not taken for one that goes and is another package', async () => {
  fleet.write('set.yaml', set('web', ', template: {downstream: {package: site}}'))
  expect(await sync()).toContain("they go with Kustomization 'ber-dns'")
  expect(objectOf('site')).not.toContain('timeout')
})

test('a package that was moved and committed before sync is known by the commits before', async () => {
  fleet.write('set.yaml', set('bind'))
  await run('render', '.')
  fleet.commit('moved')
  await sync()
  expect(objectOf('bind')).toContain(OF_PEOPLE)
})

test('a package that goes while another one comes in its Repository is not taken for that one', async () => {
  fleet.write('set.yaml', set('web', ', template: {downstream: {package: site}}'))
  await run('render', '.', '--discard-edits')
  const said = await sync()
  expect(said).toContain(
    "flux/kustomization-ber-dns.yaml:11:12: warning: `spec.timeout` is from people, as is `spec.suspend`; no object that stays has them: they go with Kustomization 'ber-dns', so write what is still wanted into the object that deploys the package now [sync-edit-left]",
  )
  expect(objectOf('site')).not.toContain('timeout')
})

test('an annotation with a folder that no file system can have is of no package that moved', async () => {
  fleet.replace('flux/kustomization-ber-dns.yaml', '"path":"./packages/ber/dns"', '"path":"./packages/ber/d\\u0000ns"')
  fleet.write('set.yaml', set('bind'))
  await run('render', '.')
  // The path in the object is another one than in the annotation: a field of people too.
  expect(await sync()).toContain(
    "`spec.path` is from people, as are `spec.timeout`, `spec.suspend`; no object that stays has them: they go with Kustomization 'ber-dns'",
  )
  expect(objectOf('bind')).not.toContain('timeout')
})

test('`sync` before `render` writes the folders of after it, where Repositories of one git repository name none', async () => {
  for (const name of ['ber', 'ham'])
    fleet.write(`${name}.yaml`, CLUSTER.replace('{name: ber}', `{name: ${name}}`).replace(', directory: packages/ber', ''))
  fleet.write('set.yaml', set('bind').replace('{name: ber}', '{name: ber}, {name: ham}'))
  await sync()
  const before = [objectOf('bind'), readFileSync(join(fleet.folder, 'flux/kustomization-ham-bind.yaml'), 'utf8')]
  expect(before).toEqual(['ber', 'ham'].map((name) => expect.stringContaining(`\n  path: ./packages/${name}/bind\n`)))
  await run('render', '.')
  expect(await sync()).toContain('Sync: nothing to do')
})
