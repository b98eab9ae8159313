import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldedPath, isSafePath } from '../folder/safe-path.ts'
import type { KrmObject } from '../resource-list/krm-object.ts'
import { formatResult, hasErrors } from '../result.ts'
import { layOutFiles } from './file-layout.ts'
import { readVendorObjects } from './vendor-objects.ts'

const read = (text: string, name = 'release.yaml') => readVendorObjects([{ name, bytes: Buffer.from(text) }])

function filesOf(text: string, last: readonly KrmObject[] = []): Readonly<Record<string, string>> {
  const { objects, results } = read(text)
  expect(results.map(formatResult)).toEqual([])
  return Object.fromEntries(layOutFiles(objects, last))
}

const messagesOf = (text: string) => read(text).results.map(formatResult)

/** Returns the objects of files, as the last revision has them. */
const lastOf = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).flatMap(([name, text]) => read(text, name).objects.map(({ object }) => object))

const object = (kind: string, name: string, { apiVersion = 'v1', namespace = '', more = '' } = {}) =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${JSON.stringify(name)}\n${namespace && `  namespace: ${namespace}\n`}${more}`

const joined = (...objects: readonly string[]) => objects.join('---\n')

describe('objects of texts', () => {
  test('comments stay: those of documents, of separators, and of documents with nothing else', () => {
    const text = `# Copyright\n\n---\n# Source: a/b.yaml\n${object('Service', 'a')}--- # second\n${object('Service', 'b', { more: '# end\n' })}---\n# loose\n---\n`
    expect(filesOf(text)).toEqual({
      'service-a.yaml': `# Copyright\n# Source: a/b.yaml\n${object('Service', 'a')}`,
      'service-b.yaml': `# second\n${object('Service', 'b', { more: '# end\n' })}`,
    })
  })

  test('a template of a chart that made no object leaves nothing behind', () => {
    expect(filesOf(`---\n# Source: c/ingress.yaml\n---\n# Source: c/a.yaml\n${object('Service', 'a')}`)).toEqual({
      'service-a.yaml': `# Source: c/a.yaml\n${object('Service', 'a')}`,
    })
  })

  test('entries of Lists and JSON are documents of their own', () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n  # one\n  - apiVersion: v1\n    kind: Service\n    metadata:\n      name: a # kept\n  # two\n  - apiVersion: v1\n    kind: Service\n    metadata: {name: c}\n`
    const json = '{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "b"}}'
    expect(filesOf(joined(list, json))).toEqual({
      'service-a.yaml': '# one\napiVersion: v1\nkind: Service\nmetadata:\n  name: a # kept\n',
      'service-c.yaml': '# two\napiVersion: v1\nkind: Service\nmetadata: {name: c}\n',
      'service-b.yaml': 'apiVersion: v1\nkind: Service\nmetadata:\n  name: b\n',
    })
  })

  test('an object that is there twice counts once, and with other fields is an error', () => {
    const web = object('Service', 'web')
    expect(Object.keys(filesOf(joined(web, `# again\n${web}`)))).toEqual(['service-web.yaml'])
    expect(messagesOf(joined(web, object('Service', 'web', { more: 'spec: {}\n' })))).toEqual([
      'release.yaml:6:1: error: must occur once: Service web is also at release.yaml:1, with other fields [import-source]',
    ])
  })

  test.each([
    [
      'a message of a program',
      `Warning: old chart\n---\n${object('Service', 'a')}`,
      /release.yaml:1:1: error: must hold objects alone, got 'Warning: old/,
    ],
    ['a text', 'hello\n', /release.yaml:1:1: error: must hold objects alone, got 'hello' \[import-source\]/],
    ['no name', 'apiVersion: v1\nkind: Service\nmetadata:\n  generateName: a-\n', /release.yaml:3:1: error: `metadata.name` must be set/],
    ['no kind', 'apiVersion: v1\nmetadata: {name: a}\n', /`kind` must be set/],
    ['broken YAML', 'a: [\n', /error: .*\[unreadable-file\]/],
    ['a NUL', 'a: \0\n', /must be YAML in UTF-8/],
    ['text behind the end', `${object('Service', 'a')}...\nlost: 1\n`, /error: what follows the line '\.\.\.' is not read/],
    ['a duplicate key', object('Service', 'a', { more: 'spec: {}\nspec: {a: 1}\n' }), /must occur once in its map/],
  ])('%s is an error at its place, and nothing is passed over', (_, text, message) => {
    const { results } = read(text)
    expect(hasErrors(results)).toBe(true)
    expect(results.map(formatResult).join('\n')).toMatch(message)
  })
})

describe('files of objects', () => {
  test('one file for each object, the definitions in a folder of their own', () => {
    const definition = object('CustomResourceDefinition', 'certs.example.com', { apiVersion: 'apiextensions.k8s.io/v1' })
    const role = object('ClusterRole', 'system:Auth', { apiVersion: 'rbac.authorization.k8s.io/v1' })
    expect(Object.keys(filesOf(joined(object('Deployment', 'web', { namespace: 'a' }), definition, role)))).toEqual([
      'clusterrole-system-auth.yaml',
      'crds/customresourcedefinition-certs.example.com.yaml',
      'deployment-web.yaml',
    ])
  })

  test('the namespace is in front if there are several', () => {
    const files = filesOf(joined(object('Role', 'a', { namespace: 'x' }), object('Role', 'a', { namespace: 'y' }), object('Node', 'n')))
    expect(Object.keys(files)).toEqual(['node-n.yaml', 'x-role-a.yaml', 'y-role-a.yaml'])
  })

  test('kinds of one name get their group, names that differ in case or signs a digest', () => {
    const [core, other] = [object('Service', 'a'), object('Service', 'a', { apiVersion: 'serving.knative.dev/v1' })]
    expect(Object.keys(filesOf(joined(core, other)))).toEqual(['service--a.yaml', 'service-serving.knative.dev-a.yaml'])
    const [upper, lower, sign] = ['Web', 'web', 'a:web'].map((name) => object('ClusterRole', name, { apiVersion: 'r/v1' }))
    const paths = Object.keys(filesOf(joined(upper ?? '', lower ?? '', sign ?? '')))
    expect(paths).toHaveLength(3)
    expect(paths.filter((path) => /^clusterrole-web-[0-9a-f]{10}\.yaml$/.test(path))).toHaveLength(2)
  })

  test('an object stays in the file of the last revision, also when its kind moves to another group', () => {
    const ingress = (group: string, more = '') => object('Ingress', 'web', { apiVersion: `${group}/v1`, more })
    const last = { 'all.yaml': joined(object('Service', 'b'), ingress('extensions')), 'service-c.yaml': object('Service', 'a') }
    const now = joined(
      object('Service', 'a'),
      object('Service', 'c'),
      ingress('networking.k8s.io'),
      object('Service', 'b', { more: '# new\n' }),
    )
    expect(filesOf(now, lastOf(last))).toEqual({
      'all.yaml': joined(object('Service', 'b', { more: '# new\n' }), ingress('networking.k8s.io')),
      'service--c.yaml': object('Service', 'c'),
      'service-c.yaml': object('Service', 'a'),
    })
  })

  test('an object of another group than several with its name has a file of its own', () => {
    const ingress = (group: string) => object('Ingress', 'web', { apiVersion: `${group}/v1` })
    const last = { 'a.yaml': ingress('a.example.com'), 'b.yaml': ingress('b.example.com') }
    const files = filesOf(joined(ingress('a.example.com'), ingress('b.example.com'), ingress('c.example.com')), lastOf(last))
    expect(files).toEqual({ ...last, 'ingress-web.yaml': ingress('c.example.com') })
  })

  test('any names give safe paths that differ on every file system, in any order, and again with the last revision', () => {
    const texts = fc.oneof(
      fc.constantFrom('..', '../../etc', 'CON', 'a/b', '.git', 'Foo', 'foo', 'x'.repeat(300), 'a:b', 'a-b', 'é', '%2e'),
      fc.string({ minLength: 1 }),
    )
    const anObject = fc.record({
      kind: texts,
      name: texts,
      namespace: fc.constantFrom('', 'a', 'con.'),
      apiVersion: fc.constantFrom('v1', 'a.b/v1', 'apps/v1'),
    })
    fc.assert(
      fc.property(fc.array(anObject, { maxLength: 12 }), (all) => {
        const text = joined(
          ...all.map(({ kind, name, namespace, apiVersion }) => `${JSON.stringify({ apiVersion, kind, metadata: { name, namespace } })}\n`),
        )
        const { objects } = read(text)
        const files = layOutFiles(objects)
        const paths = [...files.keys()]
        expect(paths.filter((path) => !isSafePath(path) || /(?:^|\/)(?:con|nul|aux|prn|com\d|lpt\d)(?:\.|$)/i.test(path))).toEqual([])
        expect(new Set(paths.map(foldedPath)).size).toBe(objects.length)
        expect(layOutFiles(objects.toReversed())).toEqual(files)
        expect(layOutFiles(objects, lastOf(Object.fromEntries(files)))).toEqual(files)
      }),
      { numRuns: 150 },
    )
  })
})
