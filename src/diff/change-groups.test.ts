import { expect, test } from 'vitest'
import { ChangeGroups, type ObjectChange } from './change-groups.ts'
import { ExpressionValues } from './expression-values.ts'
import type { ChangeCause, ChangedField } from './report.ts'

const NONE = new ExpressionValues([])

const valuesOf = (cluster: string) => new ExpressionValues([{ value: cluster, shown: '${target.name}' }])

const fieldOf = (before: string, after: string): ChangedField => ({ path: 'data.key', steps: ['data', 'key'], before, after })

/** Returns the change of ConfigMap `a` in the package `app` of a cluster. */
function changeOf(cluster: string, more: Partial<ObjectChange> = {}): ObjectChange {
  return {
    op: 'change',
    object: { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' },
    fields: [fieldOf('1', '2')],
    causes: [{ kind: 'upstream', text: 'catalog/app 1 → 2' }],
    dangers: [],
    place: { cluster, package: `${cluster}/app` },
    values: { before: NONE, after: NONE },
    texts: () => ({}),
    ...more,
  }
}

function groupsOf(changes: readonly ObjectChange[]) {
  const groups = new ChangeGroups()
  for (const change of changes) groups.add(change)
  return groups.groups()
}

/** Returns each group as OBJECTS @ PACKAGES. */
function grouped(changes: readonly ObjectChange[]): readonly string[] {
  return groupsOf(changes).map(({ objects, places }) => `${objects.map(({ name }) => name)} @ ${places.map((place) => place.package)}`)
}

test('equal changes of several clusters are one group with its places in order', () => {
  expect(grouped([changeOf('b'), changeOf('a')])).toEqual(['a @ a/app,b/app'])
  expect(groupsOf([changeOf('b'), changeOf('a')])[0]).toMatchObject({ clusters: 2 })
})

test('a cluster with several changed packages counts once', () => {
  const second = changeOf('a', { place: { cluster: 'a', package: 'a/web' } })
  expect(groupsOf([changeOf('a'), second, changeOf('b')])).toMatchObject([{ places: [{}, {}, {}], clusters: 2 }])
})

test.each([
  ['another value', { fields: [fieldOf('1', '3')] }],
  ['another cause', { causes: [{ kind: 'set', text: 'x' }] satisfies ChangeCause[] }],
  ['another danger', { dangers: [{ rule: 'volume-deleted', text: 't' }] }],
  ['another operation', { op: 'create' as const }],
  ['another fate', { removal: { by: 'Flux' as const, isPruned: true, text: 't' } }],
])('a change with %s is another group', (_what, more) => {
  expect(groupsOf([changeOf('a'), changeOf('b', more)])).toHaveLength(2)
})

test('several objects that change in the same way in the same places are one group', () => {
  const other = { object: { apiVersion: 'v1', kind: 'ConfigMap', name: 'b' } }
  expect(grouped([changeOf('x'), changeOf('x', other)])).toEqual(['a,b @ x/app'])
  expect(grouped([changeOf('x'), changeOf('y', other)])).toEqual(['a @ x/app', 'b @ y/app'])
})

test('a Secret is a group of its own where its values are hidden, so that those of other objects are shown', () => {
  const secret = { object: { apiVersion: 'v1', kind: 'Secret', name: 's' } }
  const field = (...steps: string[]): ChangedField => ({ path: steps.join('.'), steps, before: 'north', after: 'south' })
  const both = (...steps: string[]) =>
    groupsOf([changeOf('x', { fields: [field(...steps)] }), changeOf('x', { ...secret, fields: [field(...steps)] })])
  for (const steps of [
    ['metadata', 'annotations', 'note'],
    ['data', 'place'],
  ])
    expect(both(...steps)).toMatchObject([
      { objects: [{ kind: 'ConfigMap' }], fields: [{ before: 'north', after: 'south' }] },
      { objects: [{ kind: 'Secret' }], fields: [{ before: 'not-shown', after: 'other-not-shown' }] },
    ])
  expect(both('metadata', 'labels', 'place')).toMatchObject([{ objects: [{ kind: 'ConfigMap' }, { kind: 'Secret' }] }])
})

test('changes that differ only in what an expression gives are one group with the expression, and each place has its own values', () => {
  const named = (cluster: string) =>
    changeOf(cluster, {
      object: { apiVersion: 'v1', kind: 'ConfigMap', namespace: cluster, name: `till-${cluster}` },
      fields: [fieldOf('1', `host-${cluster}`)],
      values: { before: valuesOf(cluster), after: valuesOf(cluster) },
    })
  const [group, ...others] = groupsOf([named('ham-01'), named('ber-01')])
  expect(others).toEqual([])
  expect(group).toMatchObject({
    objects: [{ namespace: '${target.name}', name: 'till-${target.name}' }],
    fields: [{ before: '1', after: 'host-${target.name}' }],
    places: [
      { package: 'ber-01/app', objects: [{ name: 'till-ber-01' }], fields: [{ after: 'host-ber-01' }] },
      { package: 'ham-01/app', objects: [{ name: 'till-ham-01' }], fields: [{ after: 'host-ham-01' }] },
    ],
  })
})

test('a danger of names that an expression gives says what all places lose together', () => {
  const losing = (cluster: string, objects: number) =>
    changeOf(cluster, {
      object: { apiVersion: 'v1', kind: 'ConfigMap', name: `till-${cluster}` },
      dangers: [{ rule: 'volume-deleted', text: 't', lost: { definitions: 1, objects } }],
      values: { before: valuesOf(cluster), after: valuesOf(cluster) },
    })
  const [group] = groupsOf([losing('ham-01', 2), losing('ber-01', 3)])
  expect(group?.dangers).toMatchObject([{ text: 't; 1 definition, and 5 objects of its kind in the fleet' }])
})

test('a change that is equal in all places shows its values, not the expression', () => {
  const same = (cluster: string) =>
    changeOf(cluster, { fields: [fieldOf('1', 'ham-01')], values: { before: NONE, after: valuesOf(cluster) } })
  expect(groupsOf([same('ham-01'), same('ber-01')])).toMatchObject([{ fields: [{ after: 'ham-01' }], clusters: 2 }])
})

test('a name that no expression gives in one of its packages is reported apart from the names that an expression gives', () => {
  const named = (cluster: string, name: string, isGiven: boolean) => {
    const values = isGiven ? valuesOf(cluster) : NONE
    return changeOf(cluster, { object: { apiVersion: 'v1', kind: 'ConfigMap', name }, values: { before: values, after: values } })
  }
  const [given, literal, other] = [named('ham', 'till-ham', true), named('x', 'till-ham', false), named('ber', 'till-ber', true)]
  expect(grouped([given, literal, other])).toEqual(['till-ham @ ham/app,x/app', 'till-ber @ ber/app'])
})

test('an object that goes has the names that the earlier expressions gave', () => {
  const gone = (cluster: string) =>
    changeOf(cluster, {
      op: 'delete',
      object: { apiVersion: 'v1', kind: 'ConfigMap', name: `till-${cluster}` },
      fields: [],
      values: { before: valuesOf(cluster), after: NONE },
    })
  expect(grouped([gone('ham-01'), gone('ber-01')])).toEqual(['till-${target.name} @ ber-01/app,ham-01/app'])
})

test('a cause of many places names the inputs of at most five of them', () => {
  const caused = (cluster: string) => changeOf(cluster, { causes: [{ kind: 'expression', text: 'x', inputs: [{ text: cluster }] }] })
  const inputsOf = (count: number) =>
    groupsOf('abcdefg'.slice(0, count).split('').map(caused))[0]?.causes[0]?.inputs?.map(({ text }) => text)
  expect(inputsOf(3)).toEqual(['a', 'b', 'c'])
  expect(inputsOf(7)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('the worst danger comes first, then the most clusters, then what is deleted, renamed, changed and created', () => {
  const named = (name: string, cluster: string, more: Partial<ObjectChange> = {}) =>
    changeOf(cluster, { object: { apiVersion: 'v1', kind: 'ConfigMap', name }, ...more })
  const changes = [
    named('created', 'a', { op: 'create' }),
    named('changed', 'a'),
    named('deleted', 'a', { op: 'delete' }),
    named('renamed', 'a', { op: 'rename' }),
    named('wide', 'b', { fields: [fieldOf('w', 'x')] }),
    named('wide', 'c', { fields: [fieldOf('w', 'x')] }),
    named('notice', 'a', { dangers: [{ rule: 'namespace-deleted', severity: 'notice', text: 't' }] }),
    named('volume', 'a', { dangers: [{ rule: 'volume-deleted', text: 't' }] }),
    named('namespace', 'a', {
      dangers: [
        { rule: 'volume-deleted', text: 't' },
        { rule: 'namespace-deleted', text: 't' },
      ],
    }),
  ]
  expect(groupsOf(changes).flatMap(({ objects }) => objects.map(({ name }) => name))).toEqual([
    'namespace',
    'volume',
    'notice',
    'wide',
    'deleted',
    'renamed',
    'changed',
    'created',
  ])
})

test('the id of a group is the same in every report, and of its own', () => {
  const groups = groupsOf([changeOf('a'), changeOf('b', { fields: [fieldOf('1', '3')] })])
  expect(new Set(groups.map(({ id }) => id)).size).toBe(2)
  expect(groups.every(({ id }) => /^[0-9a-f]{16}$/.test(id))).toBe(true)
  expect(groupsOf([changeOf('c')])[0]?.id).toBe(groupsOf([changeOf('a')])[0]?.id)
})

test.each([
  ['tills-ham-01.example', 'tills-${target.name}.example'],
  ['ham-01', '${target.name}'],
  ['ham-012', 'ham-012'],
  ['xham-01', 'xham-01'],
  ['ham-01 and ham-01', '${target.name} and ${target.name}'],
  ['ham', 'ham'],
])('with the value ham-01 the text %s has the pattern %s', (text, pattern) => {
  expect(valuesOf('ham-01').patternOf(text)).toBe(pattern)
})

test('a value is not searched in the expression that stands for another one', () => {
  const values = new ExpressionValues([
    { value: 'ham-01', shown: '${target.name}' },
    { value: 'name', shown: '${x}' },
  ])
  expect(values.patternOf('ham-01 name')).toBe('${target.name} ${x}')
  expect([values.isEmpty, NONE.isEmpty]).toEqual([false, true])
})

test('an expression that gives the same in all places of a group is shown as what it gives', () => {
  const shared = (cluster: string) =>
    new ExpressionValues([
      { value: cluster, shown: '${target.name}' },
      { value: 'shop', shown: '${inputs.site.data.namespace}' },
    ])
  const named = (cluster: string) =>
    changeOf(cluster, {
      object: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: `till-${cluster}` },
      fields: [fieldOf(`shop-${cluster}`, `shop/${cluster}`)],
      values: { before: shared(cluster), after: shared(cluster) },
    })
  expect(groupsOf([named('ham-01'), named('ber-01')])).toMatchObject([
    {
      objects: [{ namespace: 'shop', name: 'till-${target.name}' }],
      fields: [{ before: 'shop-${target.name}', after: 'shop/${target.name}' }],
    },
  ])
})

test('an expression that gave the same before, and gives different texts now, is shown as what it gave only before', () => {
  const one = (value: string) => new ExpressionValues([{ value, shown: '${inputs.site.data.namespace}' }])
  const moved = (cluster: string) =>
    changeOf(cluster, { fields: [fieldOf('shop', `shop-${cluster}`)], values: { before: one('shop'), after: one(`shop-${cluster}`) } })
  expect(groupsOf([moved('ham'), moved('ber')])).toMatchObject([{ fields: [{ before: 'shop', after: '${inputs.site.data.namespace}' }] }])
})
