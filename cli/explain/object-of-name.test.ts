import { expect, test } from 'vitest'
import { configText, KPTFILE_TEXT, stateOfFiles, variantText } from '../../src/diff/testing/states-of-files.ts'
import { writtenObject } from '../../testdata/written-objects.ts'
import { UsageError } from '../usage-error.ts'
import { namesObject, objectOfName } from './object-of-name.ts'

const { plan } = stateOfFiles({
  'catalog/web@1/Kptfile': KPTFILE_TEXT,
  'catalog/web@1/a.yaml': configText('web', 'one'),
  'fleet/a.yaml': variantText('a', 'edge/a'),
  'fleet/b.yaml': variantText('b', 'edge/b'),
  'fleet/c.yaml': variantText('c', 'far/c'),
})

/** Returns the objects of texts KIND/NAME or KIND/NAMESPACE/NAME, each with the package PACKAGE that is written before it. */
function objects(...texts: readonly string[]) {
  return texts.flatMap((text) => {
    const [folder = '', full = ''] = text.split(' ')
    const [kind, ...names] = full.split('/')
    const metadata = names.length === 2 ? `{namespace: ${names[0]}, name: ${names[1]}}` : `{name: ${names[0]}}`
    const object = writtenObject(`apiVersion: v1\nkind: ${kind}\nmetadata: ${metadata}\n`)
    return plan.steps.filter((step) => step.folder === folder).map((step) => ({ step, object }))
  })
}

/** Returns PACKAGE NAME FIELD of the object of a name, or the message of the refusal. */
function found(name: string, ...texts: readonly string[]): string {
  try {
    const { step, object, field } = objectOfName(name, objects(...texts))
    return `${step.folder} ${object.name} ${field}`
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}

test('a name of an object begins with a kind', () => {
  expect(['Deployment/web', 'web', 'fleet/web', 'ConfigMap/ns/web.data'].map(namesObject)).toEqual([true, false, false, true])
})

test('the longest name that a text begins with is meant, and the rest is the field', () => {
  const both = ['edge/a ConfigMap/web', 'edge/a ConfigMap/web.site']
  expect(found('ConfigMap/web.data.a', ...both)).toBe('edge/a web data.a')
  expect(found('ConfigMap/web.site.data', ...both)).toBe('edge/a web.site data')
})

test('a namespace chooses one of the objects of a name', () => {
  const both = ['edge/a ConfigMap/north/web', 'edge/b ConfigMap/south/web']
  expect(found('ConfigMap/south/web', ...both)).toBe('edge/b web ')
  expect(found('ConfigMap/web', ...both)).toBe("2 packages have ConfigMap 'web': KIND/NAMESPACE/NAME names one of them")
})

test('equal objects of two packages are refused with the way to choose one', () => {
  expect(found('ConfigMap/web', 'edge/a ConfigMap/web', 'far/c ConfigMap/web')).toBe(
    "2 packages have ConfigMap 'web': choose one with --cluster: 'edge', 'far'",
  )
  expect(found('ConfigMap/web', 'edge/a ConfigMap/web', 'edge/b ConfigMap/web')).toBe(
    "2 packages have ConfigMap 'web': 'edge/a', 'edge/b'; a cluster has one object of a name",
  )
})

test('a name in a message is without the field behind it', () => {
  expect(found('ConfigMap/web.data.a', 'edge/a ConfigMap/web', 'far/c ConfigMap/web')).toBe(
    "2 packages have ConfigMap 'web': choose one with --cluster: 'edge', 'far'",
  )
  expect(found('ConfigMap/wbe.data.a', 'edge/a ConfigMap/web')).toBe("no cluster gets ConfigMap 'wbe'; did you mean 'web'?")
  expect(found('ConfigMap/web.stie.data', 'edge/a ConfigMap/web.site')).toBe(
    "no cluster gets ConfigMap 'web.stie'; did you mean 'web.site'?",
  )
  expect(found('ConfigMap/shop/web.data', 'edge/a ConfigMap/web')).toBe("no cluster gets ConfigMap 'shop/web'; did you mean 'web'?")
  expect(found('ConfigMap/other.data', 'edge/a ConfigMap/web')).toBe("no cluster gets ConfigMap 'other.data'; there is 'web'")
})

test('an unknown kind or name is refused with the nearest one', () => {
  expect(found('ConfigMaps/web', 'edge/a ConfigMap/web')).toBe("no cluster gets an object of kind 'ConfigMaps'; did you mean 'ConfigMap'?")
  expect(found('Secret/web', 'edge/a ConfigMap/web')).toBe("no cluster gets an object of kind 'Secret'; the kinds are 'ConfigMap'")
  expect(found('ConfigMap/wbe', 'edge/a ConfigMap/web')).toBe("no cluster gets ConfigMap 'wbe'; did you mean 'web'?")
})
