import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KrmObject } from '../../resource-list/krm-object.ts'
import { textOfField } from '../reading/field.ts'
import { imageRewrites, readImageConfigs } from './image-configs.ts'

function configOf(name: string, prefixes: readonly string[], spec: object): KrmObject {
  const object = {
    apiVersion: 'pkg.crossplane.io/v1beta1',
    kind: 'ImageConfig',
    metadata: { name },
    spec: { matchImages: prefixes.map((prefix) => ({ prefix })), ...spec },
  }
  return KrmObject.fromDocument(JSON.stringify(object))
}

const rewriteTo = (prefix: string) => ({ rewriteImage: { prefix } })
const runtime = (name: string) => ({ runtime: { configRef: { name } } })
const rewritesOf = (...objects: readonly KrmObject[]) => imageRewrites(readImageConfigs(objects))

const ALL = rewritesOf(
  configOf('b', ['xpkg.crossplane.io'], rewriteTo('mirror.example.org')),
  configOf('a', ['xpkg.crossplane.io/acme/net', 'quay.io/acme'], rewriteTo('acme.example.org/net')),
  configOf('c', ['mirror.example.org'], rewriteTo('never.example.org')),
  configOf('none', ['xpkg.crossplane.io/acme/net/deep'], runtime('deep')),
)

test.each([
  ['xpkg.crossplane.io/acme/nop:v1.0.0', 'mirror.example.org/acme/nop:v1.0.0'],
  ['xpkg.crossplane.io/acme/net:v1.0.0', 'acme.example.org/net:v1.0.0'],
  // A prefix ends anywhere, as in Crossplane.
  ['xpkg.crossplane.io/acme/network:v1.0.0', 'acme.example.org/network:v1.0.0'],
  ['xpkg.crossplane.io/acme/net/deep:v1.0.0', 'acme.example.org/net/deep:v1.0.0'],
  ['ghcr.io/acme/net:v1.0.0', undefined],
])('%s is pulled from %s', (image, pulled) => {
  expect(ALL.rewrite(image)?.image).toBe(pulled)
})

test('of two ImageConfigs with one prefix the first by name counts', () => {
  const both = rewritesOf(configOf('z', ['x.io'], rewriteTo('z.io')), configOf('y', ['x.io'], rewriteTo('y.io')))
  expect(both.rewrite('x.io/a')?.image).toBe('y.io/a')
})

test('the DeploymentRuntimeConfig is that of the path that an image is pulled from', () => {
  const rewrites = rewritesOf(
    configOf('mirror', ['x.io'], rewriteTo('m.io')),
    configOf('original', ['x.io/a'], runtime('original')),
    configOf('pulled', ['m.io/a'], runtime('pulled')),
  )
  const field = rewrites.runtimeConfigOf('x.io/a:v1')
  expect(field && textOfField(field)).toBe('pulled')
})

test('the longest of all prefixes is found as by trying each', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 6 })
  fc.assert(
    fc.property(fc.uniqueArray(texts, { maxLength: 8 }), texts, (prefixes, image) => {
      const rewrites = rewritesOf(...prefixes.map((prefix, i) => configOf(`config-${i}`, [prefix], rewriteTo(`<${prefix}>`))))
      const longest = prefixes.filter((prefix) => prefix !== '' && image.startsWith(prefix)).sort((a, b) => b.length - a.length)[0]
      expect(rewrites.rewrite(image)?.image).toBe(longest === undefined ? undefined : `<${longest}>${image.slice(longest.length)}`)
    }),
  )
})

test('ImageConfigs are ordered by name, and other kinds are none', () => {
  const other = KrmObject.fromDocument(JSON.stringify({ apiVersion: 'example.org/v1', kind: 'ImageConfig', metadata: { name: 'a' } }))
  const read = readImageConfigs([configOf('c', ['x.io', ''], {}), other, configOf('b', [], {})])
  expect(read.map(({ name, prefixes }) => [name, prefixes.map(textOfField)])).toEqual([
    ['b', []],
    ['c', ['x.io']],
  ])
})

test.each<[object, boolean]>([
  [{}, false],
  [{ registry: { authentication: { pullSecretRef: { name: 'secret' } } } }, true],
  [{ registry: { authentication: { pullSecretRef: { name: '' } } } }, false],
  [{ verification: { provider: 'Cosign' } }, true],
  [runtime('own'), false],
])('an ImageConfig with %j is about pulls: %s', (spec, concernsPulls) => {
  expect(readImageConfigs([configOf('a', ['x.io'], spec)]).map((each) => each.concernsPulls)).toEqual([concernsPulls])
})

test('an ImageConfig without a prefix to write, or without a DeploymentRuntimeConfig, hides none that has one', () => {
  const rewrites = rewritesOf(
    configOf('a', ['x.io/acme'], { rewriteImage: {} }),
    configOf('b', ['x.io'], rewriteTo('m.io')),
    configOf('c', ['m.io'], runtime('own')),
    configOf('d', ['m.io/acme'], { runtime: {} }),
  )
  const field = rewrites.runtimeConfigOf('x.io/acme/net')
  expect([rewrites.rewrite('x.io/acme/net')?.image, field && textOfField(field)]).toEqual(['m.io/acme/net', 'own'])
  expect(rewrites.runtimeConfigOf('other.io/net')).toBeUndefined()
  expect(rewrites.rewrite('x.io/acme/net')?.config.name).toBe('b')
})

test('without ImageConfigs nothing is rewritten', () => {
  const rewrites = imageRewrites([])
  expect([rewrites.rewrite('x.io/a'), rewrites.runtimeConfigOf('x.io/a')]).toEqual([undefined, undefined])
})
