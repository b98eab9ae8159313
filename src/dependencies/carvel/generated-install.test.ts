import { expect, test } from 'vitest'
import type { FieldPath } from '../../field-path.ts'
import type { JsonRecord, JsonValue } from '../../json.ts'
import { DIALECTS } from '../../versions/dialects.ts'
import { rangeReader } from '../range.ts'
import { Collector } from '../reading/collector.ts'
import {
  editsOf,
  generatedAfter,
  generatedBase,
  generatedSpec,
  type Handed,
  handedBy,
  handedFields,
  reasonToKeep,
  withoutEdited,
} from './generated-install.ts'
import { type PackageInstall, readPackageInstall } from './installs.ts'
import { packageInstall } from './testing/objects.ts'

const DB = 'db.io'
const NOTHING: Handed = { serviceAccountName: '', defaultNamespace: '', values: [] }

function installOf(name: string, refName: string, parts: Parameters<typeof packageInstall>[2]): PackageInstall {
  const install = readPackageInstall(packageInstall(name, refName, parts), new Collector('carvel', rangeReader(DIALECTS.k14s), []))
  if (install === undefined) throw new Error('the install names a package')
  return install
}

/** An install of a package that requires the db, with values for its dependencies. */
const OWNER = installOf('shop', 'shop.io', {
  spec: {
    serviceAccountName: 'shop-sa',
    defaultNamespace: 'shop-ns',
    dependencies: {
      values: [
        { refName: DB, secretRef: { name: 'of-db' } },
        { refName: 'web.io', secretRef: { name: 'of-web' } },
        { name: 'main', secretRef: { name: 'of-main' } },
      ],
    },
  },
})
const OF_DB = [{ secretRef: { name: 'of-db' } }]
const REF = { refName: DB, versionSelection: { constraints: '1.0.0' } }
/** `spec` as it is generated for the owner. */
const SPEC = { serviceAccountName: 'shop-sa', defaultNamespace: 'shop-ns', packageRef: REF, values: OF_DB }

/** How an install differs from one that was made for the owner: its record, its annotations, and its `spec`. */
interface Made {
  readonly record?: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly selection?: object
  readonly spec?: object
}

function made({ record, annotations = {}, selection = REF.versionSelection, spec = {} }: Made): PackageInstall {
  const { packageRef: _, ...own } = SPEC
  const all = {
    'kapp-controller.carvel.dev/owner': 'PackageInstall/shop',
    ...(record !== undefined && { 'krm-variants.dev/last-generated': record }),
    ...annotations,
  }
  return installOf('db', DB, { selection, spec: { ...own, ...spec }, metadata: { annotations: all } })
}

const RECORD = JSON.stringify({ spec: SPEC })

test.each<[string, string | undefined, readonly JsonValue[]]>([
  [DB, undefined, OF_DB],
  [DB, 'main', [{ secretRef: { name: 'of-db' } }, { secretRef: { name: 'of-main' } }]],
  ['cache.io', 'main', [{ secretRef: { name: 'of-main' } }]],
  ['cache.io', undefined, []],
])(
  'to the dependency %s of the alias %s an owner hands its account, its namespace, and the values for the dependency',
  (refName, alias, values) => {
    expect(handedBy(OWNER, { refName, alias })).toEqual({ serviceAccountName: 'shop-sa', defaultNamespace: 'shop-ns', values })
  },
)

test('a setting that an owner does not have is no field of the install', () => {
  expect(handedFields(NOTHING)).toEqual([
    ['serviceAccountName', undefined],
    ['defaultNamespace', undefined],
    ['values', undefined],
  ])
  expect(handedFields({ serviceAccountName: 'a', defaultNamespace: 'b', values: OF_DB })).toEqual([
    ['serviceAccountName', 'a'],
    ['defaultNamespace', 'b'],
    ['values', OF_DB],
  ])
})

test('a generated install has the fields of its owner in the order of the example of the seed', () => {
  const whole = generatedSpec(DB, REF.versionSelection, handedBy(OWNER, { refName: DB, alias: undefined }))
  expect(JSON.stringify(whole)).toBe(JSON.stringify(SPEC))
  expect(generatedSpec(DB, {}, NOTHING)).toEqual({ packageRef: { refName: DB, versionSelection: {} } })
})

test.each<[string, Made, PackageInstall | undefined, JsonRecord | undefined]>([
  ['a record is its record', { record: '{"spec": {"paused": true}}' }, OWNER, { paused: true }],
  ['a record and no owner is its record', { record: RECORD }, undefined, SPEC],
  ['no record is what its owner would get now', { spec: { serviceAccountName: 'mine' } }, OWNER, SPEC],
  [
    'no record, with prereleases, has these empty, as they are generated',
    { selection: { constraints: '1.0.0-rc.1', prereleases: { identifiers: ['rc'] } } },
    OWNER,
    { ...SPEC, packageRef: { refName: DB, versionSelection: { constraints: '1.0.0-rc.1', prereleases: {} } } },
  ],
  ['neither record nor owner is not known', {}, undefined, undefined],
  ['an unreadable record is not known', { record: '{' }, OWNER, undefined],
])('the generated form of an install with %s', (_what, install, owner, expected) => {
  expect(generatedBase(made(install), owner)).toEqual(expected)
})

test.each<[string, Made, readonly string[]]>([
  ['nothing, since the record', { record: RECORD }, []],
  ['a field, since the record', { record: RECORD, spec: { serviceAccountName: 'mine' } }, ['spec.serviceAccountName']],
  ['an added field, since the record', { record: RECORD, spec: { paused: true } }, ['spec.paused']],
  [
    'annotations of Carvel, since the record',
    { record: RECORD, annotations: { 'ext.packaging.carvel.dev/a': 'x', 'kapp.k14s.io/b': 'x', 'k14s.io/c': 'x' } },
    ['metadata.annotations.ext.packaging.carvel.dev/a', 'metadata.annotations.kapp.k14s.io/b', 'metadata.annotations.k14s.io/c'],
  ],
  [
    'annotations that kapp writes or that are of others',
    {
      record: RECORD,
      annotations: {
        'kapp.k14s.io/identity': 'x',
        'kapp.k14s.io/original': 'x',
        'kapp.k14s.io/original-diff-md5': 'x',
        'team.io/owner': 'x',
        'notcarvel.dev/a': 'x',
      },
    },
    [],
  ],
  [
    'the version, without a record',
    { annotations: { 'krm-variants.dev/resolved': '0.9.0' } },
    ['spec.packageRef.versionSelection.constraints'],
  ],
  ['another field, without a record', { annotations: { 'krm-variants.dev/resolved': '1.0.0' }, spec: { paused: true } }, []],
  ['anything, without a record and a resolved version', { spec: { paused: true } }, []],
])('people changed %s', (_what, install, fields) => {
  expect(editsOf(made(install)).map(({ path }) => path.join('.'))).toEqual(fields)
})

test('the changed version is shown with the one that was generated', () => {
  expect(editsOf(made({ annotations: { 'krm-variants.dev/resolved': '0.9.0' } }))).toEqual([
    { path: ['spec', 'packageRef', 'versionSelection', 'constraints'], generated: '0.9.0', current: '1.0.0' },
  ])
})

const ANNOTATION = 'annotation krm-variants.dev/last-generated, so it is not known what people changed'

test.each<[string, Made, PackageInstall | undefined, string | undefined]>([
  ['as its record has it', { record: RECORD }, OWNER, undefined],
  ['as its record has it, without its owner', { record: RECORD }, undefined, undefined],
  [
    'changed since its record',
    { record: RECORD, spec: { serviceAccountName: 'mine', paused: true } },
    OWNER,
    'people changed `spec.serviceAccountName` and `spec.paused`',
  ],
  ['as its owner would get it', {}, OWNER, undefined],
  ['unlike its owner would get it', { spec: { paused: true } }, OWNER, '`spec.paused` is not as generated for PackageInstall shop'],
  [
    'unlike its owner would get it, in several fields',
    { spec: { serviceAccountName: 'mine' }, annotations: { 'kapp.k14s.io/b': 'x' } },
    OWNER,
    '`spec.serviceAccountName` and `metadata.annotations["kapp.k14s.io/b"]` are not as generated for PackageInstall shop',
  ],
  ['without record and owner', {}, undefined, `it has no ${ANNOTATION}`],
  ['with a faulty record', { record: '{' }, OWNER, `it has a faulty ${ANNOTATION}`],
])('an install that is %s may be kept', (_what, install, owner, reason) => {
  expect(reasonToKeep(made(install), owner)).toBe(reason)
})

const change = (value: JsonValue | undefined, ...path: FieldPath) => ({ path, value })

test('a change of a field that people edited, or that may be edited, is left out', () => {
  const install = made({ spec: { defaultNamespace: 'mine' } })
  const changes = [
    change('new', 'spec', 'serviceAccountName'),
    change('new', 'spec', 'defaultNamespace'),
    change('2.0.0', 'spec', 'packageRef', 'versionSelection', 'constraints'),
    change(true, 'spec', 'paused'),
  ]
  expect(withoutEdited(changes, install, SPEC)).toEqual([changes[0], changes[2], changes[3]])
  expect(withoutEdited(changes, install, undefined)).toEqual([changes[3]])
})

test('the generated form follows changes: set, added below maps that are not there, and removed', () => {
  const at = (...changes: ReturnType<typeof change>[]) => generatedAfter(SPEC, changes)
  expect(at(change('new', 'spec', 'serviceAccountName'))).toEqual({ ...SPEC, serviceAccountName: 'new' })
  expect(at(change('2.0.0', 'spec', 'packageRef', 'versionSelection', 'constraints'))).toEqual({
    ...SPEC,
    packageRef: { refName: DB, versionSelection: { constraints: '2.0.0' } },
  })
  expect(at(change(1, 'spec', 'a', 'b'), change(2, 'spec', 'a', 'c'))).toEqual({ ...SPEC, a: { b: 1, c: 2 } })
  const { values: _, ...rest } = SPEC
  expect(at(change(undefined, 'spec', 'values'))).toEqual(rest)
  expect(at()).toEqual(SPEC)
  expect(SPEC.serviceAccountName).toBe('shop-sa')
})
