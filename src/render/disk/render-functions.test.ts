import { expect, test } from 'vitest'
import { OneVariantFleet, rulesOf } from '../../../testdata/one-variant-fleet.ts'

const CATALOG = 'ghcr.io/kptdev/krm-functions-catalog'

const KPTFILE = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
  annotations:
    config.kubernetes.io/local-config: "true"
pipeline:
  mutators:
  - image: ${CATALOG}/set-namespace:v0.4.1
    configPath: package-context.yaml
  - image: ${CATALOG}/apply-setters:v0.2.0
    configPath: setters.yaml
  - image: ${CATALOG}/set-labels:v0.2.0
    configMap:
      tier: front
`

function setters(replicas: string, image: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: setters
  annotations:
    config.kubernetes.io/local-config: "true"
data:
  replicas: "${replicas}"
  image: ${image}
`
}

function till(mode: string, more = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: till
spec:
  replicas: 1 # kpt-set: \${replicas}
  selector:
    matchLabels: {app: till}
  template:
    metadata:
      labels: {app: till}
    spec:
      containers:
      - name: till
        image: nginx:1.0 # kpt-set: \${image}
        env:
        - name: MODE
          value: ${mode}
${more}`
}

const V1 = { Kptfile: KPTFILE, 'setters.yaml': setters('1', 'nginx:1.0'), 'till.yaml': till('day') }
const V2 = { ...V1, 'setters.yaml': setters('1', 'nginx:2.0'), 'till.yaml': till('day', '        workingDir: /till\n') }

test('a new package has what its functions write, and a second render changes nothing', () => {
  const fleet = new OneVariantFleet({ v1: V1 })
  const report = fleet.render(1)
  expect([...report.functions]).toEqual([
    ['set-namespace', 1],
    ['apply-setters', 1],
    ['set-labels', 1],
  ])
  const made = fleet.files()
  expect(made['till.yaml']).toContain('namespace: shop')
  expect(made['till.yaml']).toContain('tier: front')
  expect([...fleet.render(1).fates]).toEqual([['unchanged', 1]])
  expect(fleet.files()).toEqual(made)
})

test('a value that a function wrote is no edit, and what people changed survives an upgrade: the value of a setter in all its fields', () => {
  const fleet = new OneVariantFleet({ v1: V1, v2: V2 })
  fleet.render(1)
  fleet.editPackage('setters.yaml', 'replicas: "1"', 'replicas: "5" # two at the door')
  fleet.editPackage('till.yaml', 'value: day', 'value: night # by hand')
  const second = fleet.render(2)
  expect(rulesOf(second)).toEqual([])
  const made = fleet.files()
  expect(made['setters.yaml']).toContain('replicas: "5" # two at the door')
  expect(made['till.yaml']).toContain('replicas: 5 # kpt-set')
  expect(made['till.yaml']).toContain('value: night # by hand')
  expect(made['till.yaml']).toContain('image: nginx:2.0 #')
  expect(made['till.yaml']).toContain('workingDir: /till')
  expect([...fleet.render(2).fates]).toEqual([['unchanged', 1]])
  expect(fleet.files()).toEqual(made)
})

test('a package without edits becomes what a new one of the revision is', () => {
  const fleet = new OneVariantFleet({ v1: V1, v2: V2 })
  fleet.render(1)
  expect(rulesOf(fleet.render(2))).toEqual([])
  const fresh = new OneVariantFleet({ v2: V2 })
  fresh.render(2)
  expect(fleet.files()).toEqual(fresh.files())
})

test.each(['fast-forward', 'force-delete-replace'] as const)('%s takes what functions wrote for no edit', (updateStrategy) => {
  const fleet = new OneVariantFleet({ v1: V1, v2: V2 })
  fleet.render(1)
  expect(fleet.render(2, { options: { updateStrategy } }).results.map(({ message }) => message)).toEqual([])
  expect(fleet.readPackage('till.yaml')).toContain('image: nginx:2.0 #')
})

test('another value of the variant reaches every file, and is no edit in an upgrade at the same time', () => {
  const fleet = new OneVariantFleet({ v1: V1, v2: V2 })
  const pipeline = (zone: string) => `  pipeline: {mutators: [{name: zone, image: "set-labels:v0.2.0", configMap: {zone: ${zone}}}]}\n`
  fleet.spec = pipeline('a')
  fleet.render(1)
  fleet.spec = pipeline('b')
  expect(rulesOf(fleet.render(1))).toEqual([])
  expect(fleet.readPackage('till.yaml')).toContain('zone: b')
  fleet.spec = pipeline('c')
  expect(rulesOf(fleet.render(2))).toEqual([])
  expect(fleet.readPackage('till.yaml')).toContain('zone: c')
  expect(fleet.readPackage('till.yaml')).not.toContain('zone: b')
})

test('a package that was rendered without its functions loses no edit when they run in an upgrade', () => {
  const fleet = new OneVariantFleet({ v1: V1, v2: V2 })
  fleet.render(1, { runs: false })
  fleet.editPackage('till.yaml', 'value: day', 'value: night')
  expect(rulesOf(fleet.render(2))).toEqual([])
  expect(fleet.readPackage('till.yaml')).toContain('value: night')
  expect(fleet.readPackage('till.yaml')).toContain('image: nginx:2.0 #')
})

test('an edit that upstream replaces is lost with a warning, also in a field beside those of functions', () => {
  const fleet = new OneVariantFleet({ v1: V1, v2: { ...V2, 'till.yaml': till('dusk') } })
  fleet.render(1)
  fleet.editPackage('till.yaml', 'value: day', 'value: night')
  expect(rulesOf(fleet.render(2))).toEqual(['edit-lost'])
  expect(fleet.readPackage('till.yaml')).toContain('value: dusk')
})

test('a setter that upstream and people changed is lost once, not in each field that it fills', () => {
  const fleet = new OneVariantFleet({ v1: V1, v2: { ...V2, 'setters.yaml': setters('3', 'nginx:2.0') } })
  fleet.render(1)
  fleet.editPackage('setters.yaml', 'replicas: "1"', 'replicas: "5"')
  fleet.editPackage('till.yaml', 'replicas: 1', 'replicas: 5')
  const { results } = fleet.render(2)
  expect(results.map(({ message }) => message)).toEqual([expect.stringContaining('`data.replicas` is')])
  expect(fleet.readPackage('till.yaml')).toContain('replicas: 3')
})

test('an edit that a function of the package writes over is lost with a warning, also where upstream changes another file or the setter', () => {
  for (const v2 of [V2, { ...V1, 'other.yaml': setters('0', 'x').replace('name: setters', 'name: other') }]) {
    const fleet = new OneVariantFleet({ v1: V1, v2 })
    fleet.render(1)
    // The edit is no longer where upstream's list has the field.
    fleet.editPackage('till.yaml', '      - name: till\n', '      - {name: printer, image: printer}\n      - name: till\n')
    fleet.editPackage('till.yaml', 'image: nginx:1.0 #', 'image: nginx:fix #')
    fleet.editPackage('till.yaml', 'tier: front\nspec', 'tier: back\nspec')
    const { results, lost } = fleet.render(2)
    const image = v2 === V2 ? 'nginx:2.0' : 'nginx:1.0'
    expect(
      results.map(({ tags, field, file, message }) => [tags.rule, field?.currentValue, field?.proposedValue, file?.path, message]),
    ).toEqual([
      [
        'edit-lost',
        'back',
        'front',
        `out/edge/shop/till.yaml`,
        `\`metadata.labels.tier\` is 'back' here; the function '${CATALOG}/set-labels:v0.2.0' of the package writes 'front', and that is taken: change \`pipeline.mutators[2]\` in the Kptfile for another value`,
      ],
      [
        'edit-lost',
        'nginx:fix',
        image,
        `out/edge/shop/till.yaml`,
        `\`spec.template.spec.containers[1].image\` is 'nginx:fix' here; the function '${CATALOG}/apply-setters:v0.2.0' of the package writes '${image}', and that is taken: change the setter 'image' of 'setters.yaml' for another value`,
      ],
    ])
    expect(lost).toBe(2)
    expect(fleet.readPackage('till.yaml')).toContain(`image: ${image} #`)
    expect(rulesOf(fleet.render(2))).toEqual([])
  }
})

test('an edit that a function of the new revision writes over is lost with a warning', () => {
  const owner = `  - image: ${CATALOG}/set-annotations:v0.1.4\n    configMap: {owner: platform}\n`
  const fleet = new OneVariantFleet({ v1: V1, v2: { ...V1, Kptfile: KPTFILE + owner } })
  fleet.render(1)
  fleet.editPackage('till.yaml', '  annotations:\n', '  annotations:\n    owner: kassel\n')
  expect(fleet.render(2).results.map(({ message }) => message)).toEqual([
    expect.stringContaining("`metadata.annotations.owner` is 'kassel' here; the function '"),
  ])
})

test.each([1, 2])(
  'an edit of a value of upstream that a new function of the variant replaces is lost with a warning, at revision %i',
  (revision) => {
    // Without functions of its own, a file of the length of its clone is not read.
    const kptfile = KPTFILE.split('pipeline:')[0] ?? ''
    const store = 'apiVersion: v1\nkind: Service\nmetadata:\n  name: till\n  labels:\n    zone: home\n'
    const own = { Kptfile: kptfile, 'store.yaml': store }
    const fleet = new OneVariantFleet({ v1: { ...V1, ...own }, v2: { ...V2, ...own } })
    const pipeline = (zone: string) => `  pipeline: {mutators: [{name: zone, image: "set-labels:v0.2.0", configMap: {zone: ${zone}}}]}\n`
    fleet.render(1)
    fleet.editPackage('till.yaml', 'value: day', 'value: night')
    fleet.editPackage('store.yaml', 'zone: home', 'zone: town')
    fleet.spec = pipeline('a')
    const { results } = fleet.render(revision)
    expect(results.map(({ tags, message }) => [tags.rule, message])).toEqual([
      ['edit-lost', expect.stringContaining("`metadata.labels.zone` is 'town' here; the function 'PackageVariant.")],
    ])
    expect(fleet.readPackage('store.yaml')).toContain('zone: a')
    expect(fleet.readPackage('till.yaml')).toContain('value: night')
    fleet.spec = pipeline('b')
    expect(rulesOf(fleet.render(revision))).toEqual([])
  },
)

test.each(['with', 'without'])('an edited resource that upstream moves into an unedited file is there once, %s functions', (word) => {
  const service = (name: string) => `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\n  labels:\n    zone: home\n`
  const own = word === 'with' ? {} : { Kptfile: KPTFILE.split('pipeline:')[0] ?? '' }
  const fleet = new OneVariantFleet({
    v1: { ...V1, ...own, 'one.yaml': service('one'), 'two.yaml': service('two') },
    v2: { ...V1, ...own, 'two.yaml': `${service('two')}---\n${service('one')}` },
  })
  fleet.render(1)
  fleet.editPackage('one.yaml', 'zone: home', 'zone: town')
  expect(rulesOf(fleet.render(2))).toEqual([])
  expect(Object.keys(fleet.files())).not.toContain('one.yaml')
  expect(fleet.readPackage('two.yaml').match(/zone: \w+/g)).toEqual(['zone: home', 'zone: town'])
})

test('an edit of a value that a function of the variant wrote is lost with a warning when the variant changes the value', () => {
  const fleet = new OneVariantFleet({ v1: V1, v2: V2 })
  const pipeline = (zone: string) => `  pipeline: {mutators: [{name: zone, image: "set-labels:v0.2.0", configMap: {zone: ${zone}}}]}\n`
  fleet.spec = pipeline('a')
  fleet.render(1)
  fleet.editPackage('till.yaml', 'zone: a\n', 'zone: kassel\n')
  fleet.spec = pipeline('b')
  expect(fleet.render(1).results.map(({ tags, field }) => [tags.rule, field?.currentValue, field?.proposedValue])).toContainEqual([
    'edit-lost',
    'kassel',
    'b',
  ])
})

test('a value that functions wrote is no edit where people changed the setter again, and where they changed what upstream changes', () => {
  const fleet = new OneVariantFleet({ v1: V1, v2: V2 })
  fleet.render(1)
  // People set both setters and run the functions; then they set one again.
  fleet.editPackage('setters.yaml', 'replicas: "1"', 'replicas: "6"')
  fleet.editPackage('setters.yaml', 'image: nginx:1.0', 'image: nginx:1.1')
  fleet.editPackage('till.yaml', 'replicas: 1', 'replicas: 5')
  fleet.editPackage('till.yaml', 'image: nginx:1.0', 'image: nginx:1.1')
  const { results } = fleet.render(2)
  expect(results.map(({ message }) => message)).toEqual([expect.stringContaining("`data.image` is 'nginx:1.1' here; upstream")])
  expect(fleet.readPackage('till.yaml')).toContain('replicas: 6 #')
})

test('a removed variant takes its package with it, if functions alone changed the package', () => {
  const fleet = new OneVariantFleet({ v1: V1 })
  fleet.render(1)
  fleet.hasVariant = false
  expect(rulesOf(fleet.render(1, { options: { allowEmpty: true } }))).toEqual(['package-removed'])
})
