import { expect, test } from 'vitest'
import { packageOfTexts } from '../../testdata/package-of-texts.ts'
import type { FieldPath } from '../field-path.ts'
import { mergePackages } from './merge-packages.ts'
import { objectsIn } from './package-files.ts'
import { upstreamPlace } from './upstream-place.ts'

const UPSTREAM = `kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  containers:
  - name: web
    image: web:2
`

/** Returns the place of a field of an object that functions wrote from the upstream file `web.yaml`. */
function placeOf(written: string, field: FieldPath, { exists = true, path = 'web.yaml', upstream = UPSTREAM } = {}): string {
  const [object] = objectsIn(packageOfTexts({ [path]: written }).get(path))
  return upstreamPlace({ object, field, value: undefined, exists }, path, packageOfTexts({ 'web.yaml': upstream }))
}

const LABELLED = UPSTREAM.replace('metadata: {name: web}', 'metadata:\n  name: web\n  labels:\n    team: shop')
const IMAGE = ['spec', 'containers', 0, 'image']

test('the line of a field is the one of the upstream file, wherever functions moved it', () => {
  expect(placeOf(LABELLED, ['spec', 'replicas'])).toBe(' (web.yaml:4:13)')
  expect(placeOf(LABELLED, IMAGE)).toBe(' (web.yaml:7:12)')
  expect(placeOf(LABELLED, [])).toBe(' (web.yaml:1:1)')
})

test('the only object of a kind is found though a function renamed it', () => {
  expect(placeOf(LABELLED.replace('name: web\n', 'name: my-web\n'), IMAGE)).toBe(' (web.yaml:7:12)')
})

test('a renamed object among several of its kind has a file and no line', () => {
  const upstream = `${UPSTREAM}---\n${UPSTREAM.replace('web}', 'db}')}`
  expect(placeOf(LABELLED.replace('name: web\n', 'name: my-web\n'), IMAGE, { upstream })).toBe(' (web.yaml)')
})

test.each([
  ['a passed-over comment', 'replicas: 2', 'replicas: 2 # mine', 'replicas: 2 # new', '(web.yaml:4:13)'],
  ['a changed type', 'replicas: 2', 'replicas: 3', 'replicas: {up: 1}', '(web.yaml:4:3)'],
])('%s has the line of the upstream file too', (_, line, mine, theirLine, place) => {
  const packageOf = (text: string) => packageOfTexts({ 'web.yaml': text })
  const packages = {
    base: packageOf(UPSTREAM),
    theirs: packageOf(LABELLED.replace(line, theirLine)),
    ours: packageOf(UPSTREAM.replace(line, mine)),
  }
  const upstream = packageOf(UPSTREAM.replace(line, theirLine))
  const { results } = mergePackages({ strategy: 'resource-merge', ...packages, upstream })
  expect(results.map(({ message }) => message)).toEqual([expect.stringContaining(place)])
})

test('a field that a function added has a file and no line', () => {
  expect(placeOf(LABELLED, ['metadata', 'labels', 'team'])).toBe(' (web.yaml)')
})

test('an entry of a list into which a function put another one has a file and no line', () => {
  const more = LABELLED.replace('containers:\n', 'containers:\n  - name: proxy\n    image: proxy:1\n')
  expect(placeOf(more, IMAGE)).toBe(' (web.yaml)')
  expect(placeOf(LABELLED.replace('- name: web', '- name: other'), IMAGE)).toBe(' (web.yaml)')
})

test('a field that upstream removed is at the line of what would hold it', () => {
  expect(placeOf(LABELLED, ['spec', 'paused'], { exists: false })).toBe(' (web.yaml:3:1)')
})

test('an object of a file that functions made has no place in upstream', () => {
  expect(placeOf(LABELLED, IMAGE, { path: 'made.yaml' })).toBe('')
})

test('an object that upstream moved to another file has the place of that file', () => {
  const read = packageOfTexts({ 'new.yaml': LABELLED, 'old.yaml': UPSTREAM.replace('kind: Deployment', 'kind: Service') })
  const [object] = objectsIn(read.get('new.yaml'))
  const upstream = new Map([
    ['old.yaml', [...objectsIn(read.get('old.yaml')), ...objectsIn(packageOfTexts({ 'new.yaml': UPSTREAM }).get('new.yaml'))]],
  ])
  expect(upstreamPlace({ object, field: ['spec', 'replicas'], value: 2, exists: true }, 'old.yaml', upstream)).toBe(' (new.yaml:4:13)')
  const namesake = new Map([...packageOfTexts({ 'old.yaml': UPSTREAM, 'new.yaml': `# moved\n${UPSTREAM}` })])
  expect(upstreamPlace({ object, field: ['spec', 'replicas'], value: 2, exists: true }, 'old.yaml', namesake)).toBe(' (new.yaml:5:13)')
})
