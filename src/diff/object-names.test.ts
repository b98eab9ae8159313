import { expect, test } from 'vitest'
import { formatResourceRef } from '../result.ts'
import { type NamedObjects, namespacesInHeading, objectsInHeading } from './object-names.ts'
import type { ChangedObject } from './report.ts'

const object = (namespace: string, name: string, more: Partial<ChangedObject> = {}): ChangedObject => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', namespace, name },
  ...more,
})

/** Returns the heading of objects in the clusters of their places, in which they have other names. */
function headingOf(objects: readonly ChangedObject[], ...places: readonly (readonly ChangedObject[])[]): string {
  const group: NamedObjects = { objects, places: places.map((own, i) => ({ cluster: `c${i}`, package: `c${i}/p`, objects: own })) }
  const names = objectsInHeading(group).map((each) => `${formatResourceRef(each)}${each.was ? ` was ${formatResourceRef(each.was)}` : ''}`)
  return `${names.join(', ')}${namespacesInHeading(group)}`
}

test('a namespace that differs between places is named after the objects, each once and in order', () => {
  expect(headingOf([object('${x}', 'web')], [object('ham', 'web')], [object('ber', 'web')], [object('ham', 'web')])).toBe(
    'ConfigMap web in the namespaces ber, ham',
  )
  const seven = 'abcdefg'.split('').map((each) => [object(each, 'web')])
  expect(headingOf([object('${x}', 'web')], ...seven)).toBe('ConfigMap web in the namespaces a, b, c, d, e and 2 more')
})

test('a namespace that all places have is part of the name, and other names may differ', () => {
  expect(headingOf([object('shop', 'web-${target.name}')], [object('shop', 'web-ham')], [object('shop', 'web-ber')])).toBe(
    'ConfigMap shop/web-${target.name}',
  )
  expect(headingOf([object('shop', 'web')])).toBe('ConfigMap shop/web')
  expect(headingOf([{ apiVersion: 'v1', kind: 'Node', name: 'n-${x}' }], [{ apiVersion: 'v1', kind: 'Node', name: 'n-1' }])).toBe(
    'Node n-${x}',
  )
})

test('of several objects only those whose namespace differs lose it', () => {
  const own = (namespace: string) => [object('shop', 'a'), object(namespace, 'b')]
  expect(headingOf([object('shop', 'a'), object('${x}', 'b')], own('ham'), own('ber'))).toBe(
    'ConfigMap shop/a, ConfigMap b in the namespaces ber, ham',
  )
})

test('the former namespaces of a renamed object are named too', () => {
  const renamed = (was: string, is: string) => object(is, 'web', { was: object(was, 'web') })
  expect(headingOf([renamed('shop', '${x}')], [renamed('shop', 'ham')], [renamed('shop', 'ber')])).toBe(
    'ConfigMap web was ConfigMap shop/web in the namespaces ber, ham',
  )
  expect(headingOf([renamed('${x}', 'shop')], [renamed('ham', 'shop')], [renamed('ber', 'shop')])).toBe(
    'ConfigMap shop/web was ConfigMap web in the namespaces ber, ham',
  )
})
