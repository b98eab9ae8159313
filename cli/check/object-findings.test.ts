import { beforeEach, expect, test } from 'vitest'
import { TestRepository } from '../../testdata/diff/fleet-repository.ts'
import { testFolder } from '../../testdata/test-folder.ts'

const KPTFILE = 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n'
const LOCAL = ', annotations: {config.kubernetes.io/local-config: "true"}'
const configMap = (more = ', namespace: n') => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x${more}}\n`
const deployment = (version: string) => `apiVersion: apps/${version}\nkind: Deployment\nmetadata: {name: d}\n`

let fleet: TestRepository
beforeEach(() => {
  const folder = testFolder()
  fleet = new TestRepository(folder)
  fleet.write('p/Kptfile', KPTFILE)
})

const twins = async () => {
  const { stdout, exitCode } = await fleet.run('check', '.')
  expect(exitCode).toBe(0)
  return stdout.split('\n').filter((line) => line.includes('[duplicate-object]'))
}

test('an object that its package holds twice is a warning at the second place, which names the first', async () => {
  fleet.write('p/a.yaml', configMap())
  fleet.write('p/b.json', '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": "n"}}\n')
  expect(await twins()).toEqual([
    'p/b.json:1:64: warning: ConfigMap n/x must be in the package once, is also at p/a.yaml:3:18; a cluster keeps one of the two [duplicate-object]',
  ])
})

test('objects in two versions of a group and entries of a List are twins too', async () => {
  fleet.write('p/a.yaml', `${deployment('v1')}---\n${deployment('v1beta1')}`)
  fleet.write('p/list.yaml', 'apiVersion: v1\nkind: List\nitems:\n- apiVersion: apps/v1\n  kind: Deployment\n  metadata: {name: d}\n')
  expect(await twins()).toHaveLength(2)
})

test('objects of other packages, namespaces and groups, local configs and templates are no twins', async () => {
  fleet.write('p/a.yaml', [configMap(), configMap(''), configMap(', namespace: m'), configMap(LOCAL), configMap(LOCAL)].join('---\n'))
  fleet.write('p/sub/Kptfile', KPTFILE)
  fleet.write('p/sub/a.yaml', configMap())
  fleet.write('loose/a.yaml', configMap())
  fleet.write('loose/b.yaml', configMap())
  fleet.write('p/c.yaml', `${configMap(', namespace: "${NS}"')}---\n${configMap(', namespace: "${NS}"')}`)
  expect(await twins()).toEqual([])
})

const MADE = KPTFILE.replace('name: p', 'name: p, annotations: {krm-variants.dev/package-variant: default/p}')

test.each([
  { what: 'a package that was made for a variant', folder: 'made', kptfile: MADE },
  { what: 'a revision of an upstream package', folder: 'catalog/p@v1', kptfile: KPTFILE },
])('the subpackages of $what are applied with the package, and may not hold one object', async ({ folder, kptfile }) => {
  fleet.write(`${folder}/Kptfile`, kptfile)
  fleet.write(`${folder}/a.yaml`, configMap())
  for (const sub of ['net', 'sub']) {
    fleet.write(`${folder}/${sub}/Kptfile`, KPTFILE)
    fleet.write(`${folder}/${sub}/a.yaml`, `${configMap()}---\n${configMap('')}---\n${configMap(LOCAL)}`)
  }
  const twin = (place: string, first: string, name: string) =>
    `${folder}/${place}: warning: ConfigMap ${name} must be in the package once, is also at ${folder}/${first}; a cluster keeps one of the two [duplicate-object]`
  expect(await twins()).toEqual([
    twin('net/a.yaml:3:18', 'a.yaml:3:18', 'n/x'),
    twin('sub/a.yaml:3:18', 'a.yaml:3:18', 'n/x'),
    twin('sub/a.yaml:7:18', 'net/a.yaml:7:18', 'x'),
  ])
})

test('two deployed packages, the configs of functions, and a subpackage with a kustomization are no twins', async () => {
  fleet.write('Kptfile', KPTFILE)
  for (const folder of ['c/p@v1', 'c/p@v2', 'made/net']) fleet.write(`${folder}/a.yaml`, configMap())
  for (const folder of ['c/p@v1', 'c/p@v2']) fleet.write(`${folder}/Kptfile`, KPTFILE)
  fleet.write('made/Kptfile', MADE)
  for (const folder of ['made/net', 'made/sub']) {
    fleet.write(`${folder}/Kptfile`, `${KPTFILE}pipeline: {mutators: [{image: 'apply-setters:v0.2', configPath: ./setters.yaml}]}\n`)
    fleet.write(`${folder}/setters.yaml`, configMap(''))
  }
  fleet.write('made/kustom/Kptfile', KPTFILE)
  fleet.write('made/kustom/a.yaml', configMap())
  fleet.write('made/kustom/kustomization.yaml', 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n')
  const lines = (await fleet.run('check', '.')).stdout.split('\n')
  expect(lines.filter((line) => line.includes('[duplicate-object]'))).toEqual([])
})

test('of the files of a package with a kustomization it is not known which go together', async () => {
  fleet.write('p/dev/a.yaml', configMap())
  fleet.write('p/prod/a.yaml', configMap())
  fleet.write('p/kustomization.yaml', 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [dev/a.yaml]\n')
  expect(await twins()).toEqual([])
})

test('an entry of an object that the API server refuses is a warning, also of an object in a List', async () => {
  fleet.write(
    'p/list.yaml',
    `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Service
  metadata: {name: s}
  spec: {ports: [{name: a, port: 1}, {name: a, port: 2}]}
`,
  )
  const { stdout, exitCode } = await fleet.run('check', '.')
  expect([exitCode, stdout.split('\n').find((line) => line.includes('repeated-entry'))]).toEqual([
    0,
    "p/list.yaml:7:45: warning: `spec.ports[1].name` must be of one entry only, is 'a' as `spec.ports[0].name`; the API server refuses the object [repeated-entry]",
  ])
})
