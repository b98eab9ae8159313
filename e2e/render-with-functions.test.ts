import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { differingFiles, readFolder } from './folder-copy.ts'
import { commit, git } from './render/catalog.ts'
import { edit } from './render/edits.ts'
import { bundlePath, runProgram } from './run-program.ts'

// The story of a fleet whose packages have functions: stores get the package `shop`, people work in it, upstream moves.

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'

const KPTFILE = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - image: ${CATALOG}/apply-setters:v0.2.0
    configPath: setters.yaml
  - image: ${CATALOG}/set-namespace:v0.4.1
    configMap: {namespace: shop}
`

const SETTERS = `apiVersion: v1
kind: ConfigMap
metadata:
  name: setters
  annotations:
    config.kubernetes.io/local-config: "true"
data:
  replicas: "1"
  image: till:1.0
`

const TILL = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: till
spec:
  replicas: 0 # kpt-set: \${replicas}
  template:
    spec:
      containers:
      - name: till
        image: none # kpt-set: \${image}
        env:
        - name: RECEIPT
          value: paper
`

const LIMITS = `apiVersion: v1
kind: ResourceQuota
metadata:
  name: limits
spec:
  hard:
    pods: "0" # kpt-set: \${replicas}
`

const V1 = { Kptfile: KPTFILE, 'setters.yaml': SETTERS, 'till.yaml': TILL, 'limits.yaml': LIMITS }

/** The next revision has another image, one more field, one more resource, and one more function. */
const V2 = {
  ...V1,
  Kptfile: `${KPTFILE}  - image: ${CATALOG}/set-annotations:v0.1.4\n    configMap: {owner: platform}\n`,
  'setters.yaml': SETTERS.replace('till:1.0', 'till:2.0'),
  'till.yaml': TILL.replace('  template:', '  minReadySeconds: 5\n  template:'),
  'scanner.yaml': LIMITS.replaceAll('limits', 'scanners'),
}

/** Each store has a label of its own, which a function of the set writes. */
const SET = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: shops}
spec:
  upstream: {repo: catalog, package: shop, revision: 1}
  targets:
  - repositories: [{name: ams}, {name: ber}, {name: cgn}]
    template:
      pipeline:
        mutators:
        - name: site
          image: ${CATALOG}/set-labels:v0.2.0
          configMapExprs:
          - {key: site, valueExpr: repoDefault}
`

const OPTIONS = (catalog: string) => `apiVersion: fn.krm-variants.dev/v1alpha1
kind: RenderVariants
metadata: {name: options}
spec:
  repositories: {catalog: {git: {repo: ${catalog}}}}
`

/** A fleet with its packages below \`clusters\`, and the git repository of its catalog. */
class Fleet {
  readonly #place = mkdtempSync(join(realpathSync(tmpdir()), 'krm-variants-story-'))
  readonly clusters = join(this.#place, 'work/clusters')

  constructor() {
    onTestFinished(() => rmSync(this.#place, { recursive: true }))
    mkdirSync(join(this.#place, 'catalog'))
    this.#write('work/fleet/set.yaml', SET)
    this.#write('work/fleet/options.yaml', OPTIONS(join(this.#place, 'catalog')))
  }

  #write(path: string, text: string): void {
    mkdirSync(dirname(join(this.#place, path)), { recursive: true })
    writeFileSync(join(this.#place, path), text)
  }

  /** Publishes a revision of the package, with the tag that Porch gives it. */
  async publish(tag: string, files: Readonly<Record<string, string>>): Promise<void> {
    const catalog = join(this.#place, 'catalog')
    await git(catalog, 'init', '--quiet')
    for (const [path, text] of Object.entries(files)) this.#write(`catalog/shop/${path}`, text)
    await commit(catalog, tag)
    await git(catalog, 'tag', `shop/${tag}`)
  }

  askFor(revision: number): void {
    edit(join(this.#place, 'work/fleet/set.yaml'), /revision: \d/, `revision: ${revision}`)
  }

  /** Returns what `render` prints. */
  async render(): Promise<string> {
    const args = ['render', join(this.#place, 'work/fleet'), '--out', this.clusters]
    const { stdout, stderr, exitCode } = await runProgram(bundlePath('krm-variants'), args)
    expect(exitCode).toBe(0)
    return stdout.toString() + stderr
  }

  /** Runs the functions of stores. Returns the summary. */
  async run(...stores: readonly string[]): Promise<string> {
    const packages = stores.map((store) => join(this.clusters, store, 'shop'))
    const { stderr, exitCode } = await runProgram(bundlePath('krm-variants'), ['run', ...packages])
    expect(exitCode).toBe(0)
    return stderr.slice(stderr.indexOf('Run: '))
  }

  edit(path: string, before: string, after: string): void {
    edit(join(this.clusters, path), before, after)
  }

  read(path: string): string {
    return readFileSync(join(this.clusters, path), 'utf8')
  }

  get files(): ReadonlyMap<string, string> {
    return readFolder(this.clusters)
  }
}

const STORES = ['ams', 'ber', 'cgn']

test('functions run in new and changed packages; what they wrote is no edit, what people wrote survives an upgrade, a setter in all its fields', async () => {
  const fleet = new Fleet()
  await fleet.publish('v1', V1)

  // October: the packages are made, and their functions have run.
  expect(await fleet.render()).toBe('3 packages: 3 created\n9 functions run: apply-setters 3, set-labels 3, set-namespace 3\n')
  for (const store of STORES) {
    expect(fleet.read(`${store}/shop/till.yaml`)).toContain(`  labels:\n    site: ${store}\n  namespace: shop\n`)
    expect(fleet.read(`${store}/shop/till.yaml`)).toContain('  replicas: 1 # kpt-set: ${replicas}\n')
    expect(fleet.read(`${store}/shop/limits.yaml`)).toContain('    pods: "1" # kpt-set: ${replicas}\n')
  }
  const october = fleet.files
  expect(await fleet.render()).toBe('3 packages: 3 unchanged\n')
  expect(differingFiles(october, fleet.files)).toEqual([])

  // People in Amsterdam want more tills, and digital receipts, and run the functions. People in Berlin leave that to render.
  fleet.edit('ams/shop/setters.yaml', 'replicas: "1"', 'replicas: "5" # until the fair')
  fleet.edit('ams/shop/till.yaml', 'value: paper', 'value: digital # no printers')
  fleet.edit('ber/shop/setters.yaml', 'replicas: "1"', 'replicas: "2"')
  expect(await fleet.run('ams')).toBe('Run: 3 functions in 1 package: 2 files updated\n')
  expect(fleet.read('ams/shop/till.yaml')).toContain('  replicas: 5 # kpt-set: ${replicas}\n')
  expect(fleet.read('ams/shop/limits.yaml')).toContain('    pods: "5" # kpt-set: ${replicas}\n')
  expect(await fleet.render()).toBe('3 packages: 1 updated, 2 unchanged\n3 functions run: apply-setters 1, set-labels 1, set-namespace 1\n')
  expect(fleet.read('ber/shop/till.yaml')).toContain('  replicas: 2 # kpt-set: ${replicas}\n')
  expect(await fleet.render()).toBe('3 packages: 3 unchanged\n')

  // November: upstream moves, and every package follows. No edit is lost: no function's value counts as one.
  await fleet.publish('v2', V2)
  fleet.askFor(2)
  expect(await fleet.render()).toBe(
    '3 packages: 3 updated\n12 functions run: apply-setters 3, set-annotations 3, set-labels 3, set-namespace 3\n',
  )
  expect(fleet.read('ams/shop/setters.yaml')).toContain('  replicas: "5" # until the fair\n  image: till:2.0\n')
  const till = fleet.read('ams/shop/till.yaml')
  for (const line of [
    '  replicas: 5 # kpt-set: ${replicas}',
    '  minReadySeconds: 5',
    '        image: till:2.0 # kpt-set: ${image}',
    '          value: digital # no printers',
    '    owner: platform',
  ])
    expect(till).toContain(`${line}\n`)
  for (const [store, replicas] of [
    ['ams', '5'],
    ['ber', '2'],
    ['cgn', '1'],
  ] as const)
    for (const file of ['limits.yaml', 'scanner.yaml'])
      expect(fleet.read(`${store}/shop/${file}`)).toContain(`    pods: "${replicas}" # kpt-set: \${replicas}\n`)

  // A third render changes nothing, and nor do the functions once more.
  const november = fleet.files
  expect(await fleet.render()).toBe('3 packages: 3 unchanged\n')
  expect(await fleet.run(...STORES)).toBe('Run: 12 functions in 3 packages: nothing to change\n')
  expect(differingFiles(november, fleet.files)).toEqual([])
})

test('an unedited package is, after an upgrade, what a new one of the revision is', async () => {
  const [upgraded, made] = [new Fleet(), new Fleet()]
  for (const fleet of [upgraded, made]) {
    await fleet.publish('v1', V1)
    await fleet.publish('v2', V2)
  }
  await upgraded.render()
  for (const fleet of [upgraded, made]) {
    fleet.askFor(2)
    await fleet.render()
  }
  const withoutPlace = (fleet: Fleet) =>
    new Map([...fleet.files].map(([path, text]) => [path, text.replaceAll(/(?:repo|commit|fleet): \S+/g, '')]))
  expect(differingFiles(withoutPlace(upgraded), withoutPlace(made))).toEqual([])
})

test('an edit that upstream replaces is reported once, and so is one that a function writes over', async () => {
  const fleet = new Fleet()
  await fleet.publish('v1', V1)
  await fleet.render()
  fleet.edit('ber/shop/setters.yaml', 'image: till:1.0', 'image: till:1.1')
  fleet.edit('cgn/shop/till.yaml', 'site: cgn', 'site: mine')
  await fleet.publish('v2', V2)
  fleet.askFor(2)
  const said = await fleet.render()
  expect(said.match(/warning: .*/g)).toEqual([
    expect.stringContaining("`data.image` is 'till:1.1' here; upstream changed it to 'till:2.0'"),
    expect.stringContaining(
      "`metadata.labels.site` is 'mine' here; the function 'PackageVariant.shops-cgn-shop.site.0' of the package writes 'cgn', and that is taken: change `spec.pipeline` of the variant or its set",
    ),
  ])
  expect(said).toContain('2 edits lost')
  expect(fleet.read('ber/shop/till.yaml')).toContain('image: till:2.0 #')
  expect(fleet.read('cgn/shop/till.yaml')).not.toContain('site: mine')
})
