import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packageOfTexts } from '../../../testdata/package-of-texts.ts'
import { CATALOG_BUILTINS } from './catalog-builtins.ts'
import { CloneLibrary } from './clone-library.ts'
import { ClonedFilesLibrary } from './cloned-files.ts'
import { PackageFunctions } from './package-functions.ts'
import type { FunctionRun, PackageToRun } from './rendered-package.ts'

const RUNNERS = {
  builtins: CATALOG_BUILTINS,
  programs: new Map(),
  allowExec: false,
  imagePrefix: undefined,
  program: () => () => ({ stdout: '', stderr: '', exitCode: 1 }),
}

const UPSTREAM = {
  Kptfile: 'apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n',
  'till.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: till
  namespace: front # kpt-set: \${zone}
spec:
  replicas: 1 # kpt-set: \${site}
  template:
    metadata:
      annotations: {site: "none"} # kpt-set: \${site}
`,
  'role.yaml': `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: till
  annotations:
    config.kubernetes.io/depends-on: apps/namespaces/front/Deployment/till
subjects:
- kind: ServiceAccount
  name: till
  namespace: "front"
`,
}

/** The files that all packages share, as bytes that are the same objects. */
function sharedFiles(): ReadonlyMap<string, Uint8Array> {
  const files = packageOfTexts(UPSTREAM)
  const source = { place: 'shop', files, layouts: new Map(), modes: new Map(), results: [], faults: [] }
  const { bytes } = new ClonedFilesLibrary().of(source, new CloneLibrary('kpt').of(source))
  return new Map([...bytes].filter(([path]) => path !== 'Kptfile' && path !== 'package-context.yaml'))
}

/** Returns the files as an updated package has them: bytes of its own, with a namespace and a mode of its own, and a file without resources. */
function ownFiles(
  shared: ReadonlyMap<string, Uint8Array>,
  { zone, mode }: { zone: string; mode: string },
): ReadonlyMap<string, Uint8Array> {
  const own = (bytes: Uint8Array) => Buffer.from(Buffer.from(bytes).toString().replaceAll('front', zone).replaceAll('none', mode))
  return new Map([...Array.from(shared, ([path, bytes]) => [path, own(bytes)] as const), ['NOTES.md', Buffer.from(`- ${zone}: ${mode} {`)]])
}

interface Variant {
  readonly name: string
  readonly image: string
  readonly values: Readonly<Record<string, string>>
}

function packageOf({ name, image, values }: Variant, shared: ReadonlyMap<string, Uint8Array>): PackageToRun {
  const data = Object.entries(values).map(([key, value]) => `      ${key}: ${value}\n`)
  const kptfile = `${UPSTREAM.Kptfile}  annotations:\n    owner: fleet/shop-${name}\npipeline:\n  mutators:\n  - name: of.${name}.0\n    image: ${image}\n    configMap:\n${data.join('')}`
  const context = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kptfile.kpt.dev\ndata:\n  name: ${name}\n`
  const files = new Map([...shared, ['Kptfile', Buffer.from(kptfile)], ['package-context.yaml', Buffer.from(context)]])
  return { folder: name, paths: [...files.keys()].sort(), read: (path) => files.get(path) ?? new Uint8Array() }
}

function answerOf(functions: PackageFunctions, pkg: PackageToRun): object {
  const { outcome, changed, ran, results } = functions.run(pkg)
  const texts = [...changed].map(([path, bytes]) => [path, bytes === undefined ? undefined : Buffer.from(bytes).toString()])
  return { outcome, ran, texts, rules: results.map(({ tags }) => tags.rule) }
}

// Among them words that the shared files have, that YAML does not read as texts, and that begin with others.
const value = fc.constantFrom(
  'site-1',
  'site-2',
  'site',
  'front',
  'till',
  'on',
  'null',
  '1e5',
  '12',
  '"12"',
  "'site-1'",
  'a.site-1',
  '1.e5',
  'ab',
  'Deployment',
)
const variant = fc.record({
  name: fc.constantFrom('a1', 'b2', 'site-1', 'front', 'shop'),
  image: fc.constantFrom('set-namespace:v0.4.1', 'set-labels:v0.2.0', 'set-annotations:v0.1.4', 'apply-setters:v0.2.0'),
  values: fc.oneof(
    fc.record({ namespace: value }),
    fc.record({ site: value, zone: value }),
    fc.record({ site: value }),
    fc.dictionary(fc.constantFrom('site', 'site-1', 'ab', 'front'), value, { minKeys: 1 }),
  ),
})

test('a package that takes the answer of another one gets what its own functions would give', () => {
  const shared = sharedFiles()
  fc.assert(
    fc.property(fc.array(variant, { minLength: 2, maxLength: 8 }), (variants) => {
      const sharing = new PackageFunctions(RUNNERS)
      for (const each of variants) {
        const pkg = packageOf(each, shared)
        expect(answerOf(sharing, pkg)).toEqual(answerOf(new PackageFunctions(RUNNERS), pkg))
      }
    }),
    { numRuns: 150 },
  )
})

test('an updated package, whose files are its own, gets what its own functions would give', () => {
  const shared = sharedFiles()
  const names = fc.record({ zone: value, mode: fc.constantFrom('none', 'site-1', 'on', '12', 'till', 'ab') })
  fc.assert(
    fc.property(fc.array(fc.tuple(variant, names), { minLength: 2, maxLength: 8 }), (variants) => {
      const sharing = new PackageFunctions(RUNNERS)
      for (const [each, own] of variants) {
        const pkg = packageOf(each, ownFiles(shared, own))
        expect(answerOf(sharing, pkg)).toEqual(answerOf(new PackageFunctions(RUNNERS), pkg))
      }
    }),
    { numRuns: 150 },
  )
})

test('packages that differ in names alone share the calls of the first one', () => {
  const shared = sharedFiles()
  let calls = 0
  const builtins = CATALOG_BUILTINS.map((builtin) => ({
    ...builtin,
    run: (version: string) => {
      const runner = builtin.run(version)
      const counted = (input: string) => {
        calls++
        return runner(input)
      }
      return Object.assign(counted, { copiesValues: runner.copiesValues === true })
    },
  }))
  const functions = new PackageFunctions({ ...RUNNERS, builtins })
  const names = ['ab', 'edge-2', 'edge-3']
  const runOf = (name: string, files: ReadonlyMap<string, Uint8Array>): FunctionRun =>
    functions.run(packageOf({ name, image: 'set-namespace:v0.4.1', values: { namespace: name } }, files))
  const runs = names.map((name) => runOf(name, shared))
  // The second call is that on the function's own output, which finds functions that are not idempotent.
  expect(calls).toBe(2)
  expect(runs.map(({ changed }) => /namespace: (.*)/.exec(String(changed.get('till.yaml')))?.[1])).toEqual(
    names.map((name) => `${name} # kpt-set: \${zone}`),
  )
  // Updated packages, each with another namespace before.
  for (const name of names) runOf(name, ownFiles(shared, { zone: `was-${name}`, mode: 'slow' }))
  expect(calls).toBe(3)
})
