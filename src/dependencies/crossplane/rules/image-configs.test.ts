import { describe, expect, test } from 'vitest'
import type { KrmObject } from '../../../resource-list/krm-object.ts'
import { digest, objectOf, packageObject, read } from '../testing/objects.ts'

const HELM = 'xpkg.example.org/acme/helm'
const MIRROR = 'mirror.example.org/acme/helm'
const APP = 'xpkg.example.org/acme/app'

function configOf(name: string, prefixes: readonly string[], spec: object): KrmObject {
  const matchImages = prefixes.map((prefix) => ({ prefix }))
  return objectOf(
    { apiVersion: 'pkg.crossplane.io/v1beta1', kind: 'ImageConfig', metadata: { name }, spec: { matchImages, ...spec } },
    `${name}.yaml`,
  )
}

const rewriteTo = (prefix: string) => ({ rewriteImage: { prefix } })
const SECRET = { registry: { authentication: { pullSecretRef: { name: 'secret' } } } }

/** Returns the findings on ImageConfigs and mirrors, each with its object and field and with what is proposed. */
function found(objects: readonly KrmObject[], ...catalog: readonly object[]) {
  return read(objects, catalog)
    .findings()
    .filter(({ rule }) => rule.startsWith('image-config') || rule === 'mirror-source')
    .map(({ rule, message, place, proposedValue }) => ({ rule, message, at: `${place.ref.name} ${place.path.join('.')}`, proposedValue }))
}

test('a rewrite without a prefix pulls nothing', () => {
  const message = '`spec.rewriteImage.prefix` of ImageConfig a must be set: Crossplane pulls no package that the ImageConfig matches'
  for (const rewriteImage of [{}, { prefix: '' }])
    expect(found([configOf('a', ['x.io'], { rewriteImage })])).toEqual([
      { rule: 'image-config-invalid', message, at: 'a spec.rewriteImage.prefix', proposedValue: undefined },
    ])
  expect(found([configOf('a', ['x.io'], {}), configOf('b', ['x.io'], rewriteTo('y.io'))])).toEqual([])
})

describe('a prefix that two ImageConfigs rewrite', () => {
  test('is taken from either', () => {
    const both = [configOf('b', ['other.io', 'x.io'], rewriteTo('z.io')), configOf('a', ['x.io'], rewriteTo('y.io'))]
    expect(found(both)).toEqual([
      {
        rule: 'image-config-suspect',
        message: expect.stringMatching(
          /^ImageConfig a \(a\.yaml:\d+\) and ImageConfig b rewrite the prefix "x\.io": Crossplane takes either of them$/,
        ),
        at: 'b spec.matchImages.1.prefix',
        proposedValue: undefined,
      },
    ])
  })

  test('may be twice in one ImageConfig, in two of which one rewrites nothing, or be longer in one', () => {
    expect(found([configOf('a', ['x.io', 'x.io'], rewriteTo('y.io'))])).toEqual([])
    expect(found([configOf('a', ['x.io'], rewriteTo('y.io')), configOf('b', ['x.io'], {})])).toEqual([])
    expect(found([configOf('a', ['x.io'], rewriteTo('y.io')), configOf('b', ['x.io/acme'], rewriteTo('z.io'))])).toEqual([])
  })
})

describe('an ImageConfig with a pull secret or signatures', () => {
  const secret = (...prefixes: readonly string[]) => configOf('secret', prefixes, SECRET)

  test('is passed over for images that another one rewrites first', () => {
    expect(found([configOf('mirror', ['x.io'], rewriteTo('m.io')), secret('other.io', 'x.io/acme')])).toEqual([
      {
        rule: 'image-config-suspect',
        message:
          'ImageConfig secret is passed over for images with the prefix "x.io/acme": ImageConfig mirror rewrites them first, and pull secrets and signatures are those of "m.io/acme"',
        at: 'secret spec.matchImages.1.prefix',
        proposedValue: 'm.io/acme',
      },
    ])
    const verifying = configOf('verifying', ['x.io'], { verification: { provider: 'Cosign' } })
    expect(found([configOf('mirror', ['x.io'], rewriteTo('m.io')), verifying])).toMatchObject([{ proposedValue: 'm.io' }])
  })

  test('counts for images that stay, that keep its prefix, and for the place that images are pulled from', () => {
    expect(found([configOf('mirror', ['x.io'], rewriteTo('m.io')), secret('m.io', 'y.io')])).toEqual([])
    expect(found([configOf('mirror', ['x.io'], rewriteTo('x.io/mirror')), secret('x.io')])).toEqual([])
    expect(found([configOf('mirror', ['x.io'], rewriteTo('m.io')), configOf('plain', ['x.io/acme'], {})])).toEqual([])
  })
})

describe('mirror-source', () => {
  const mirror = configOf('mirror', ['xpkg.example.org'], rewriteTo('mirror.example.org'))
  const requiring = (source: string, ...more: readonly string[]) => ({
    id: APP,
    versions: [{ version: 'v1.0.0', dependencies: [source, ...more].map((provider) => ({ provider, version: '>=v1.0.0' })) }],
  })
  const app = packageObject('app', `${APP}:v1.0.0`, {}, 'Configuration')

  test('a package that is installed from its mirror does not meet a requirement on its source', () => {
    const digested = digest('a')
    const messages = (reference: string) => found([mirror, app, packageObject('helm', reference)], requiring(HELM))
    expect(messages(`${MIRROR}:v1.0.0`)).toEqual([
      {
        rule: 'mirror-source',
        message: expect.stringMatching(
          /^Provider helm installs mirror\.example\.org\/acme\/helm, and xpkg\.example\.org\/acme\/app v1\.0\.0 requires xpkg\.example\.org\/acme\/helm \(.+\), which ImageConfig mirror pulls from there: Crossplane compares original sources, so the requirement is not met$/,
        ),
        at: 'helm spec.package',
        proposedValue: `${HELM}:v1.0.0`,
      },
    ])
    expect(messages(`${MIRROR}@${digested}`)).toMatchObject([{ proposedValue: `${HELM}@${digested}` }])
    expect(messages(`${MIRROR}:v1.0.0@${digested}`)).toMatchObject([{ proposedValue: `${HELM}@${digested}` }])
  })

  test('a package that is pulled from the required source does not meet the requirement either', () => {
    expect(found([mirror, app, packageObject('helm', `${HELM}:v1.0.0`)], requiring(MIRROR))).toEqual([
      {
        rule: 'mirror-source',
        message: expect.stringMatching(
          /^Provider helm installs xpkg\.example\.org\/acme\/helm, which ImageConfig mirror pulls from mirror\.example\.org\/acme\/helm, and xpkg\.example\.org\/acme\/app v1\.0\.0 requires mirror\.example\.org\/acme\/helm \(.+\): Crossplane compares original sources/,
        ),
        at: 'helm spec.package',
        proposedValue: `${MIRROR}:v1.0.0`,
      },
    ])
  })

  test('is said once for each source', () => {
    const other = { ...requiring(HELM, MIRROR), id: 'xpkg.example.org/acme/web' }
    const web = packageObject('web', 'xpkg.example.org/acme/web:v1.0.0', {}, 'Configuration')
    const objects = [mirror, app, web, packageObject('helm', `${MIRROR}:v1.0.0`)]
    expect(found(objects, requiring(HELM), other).map(({ at }) => at)).toEqual(['helm spec.package'])
    const pulled = [mirror, app, web, packageObject('helm', `${HELM}:v1.0.0`)]
    expect(found(pulled, requiring(MIRROR), other).map(({ at }) => at)).toEqual(['helm spec.package'])
  })

  test('is no fault of a package that is installed, or that is neither rewritten nor the place of another one', () => {
    expect(found([mirror, app, packageObject('helm', `${HELM}:v1.0.0`)], requiring(HELM))).toEqual([])
    expect(found([mirror, app, packageObject('sql', 'mirror.example.org/acme/sql:v1.0.0')], requiring(HELM))).toEqual([])
    expect(found([mirror, app], requiring('ghcr.io/acme/helm'))).toEqual([])
    expect(found([app, packageObject('helm', `${MIRROR}:v1.0.0`)], requiring(HELM))).toEqual([])
  })
})
