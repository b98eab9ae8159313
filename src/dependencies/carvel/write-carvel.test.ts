import { describe, expect, test } from 'vitest'
import { asRecord, type JsonRecord } from '../../json.ts'
import type { KrmObject } from '../../resource-list/krm-object.ts'
import type { Install } from '../package-index.ts'
import type { Parent, Step } from '../plan/plan.ts'
import type { WrittenObject } from '../reading/ecosystem.ts'
import { carvelReading, packageInFile, packageInstall } from './testing/objects.ts'
import { installName } from './write-carvel.ts'

const APP = 'app.example.com'
const DB = 'db.example.com'
const OWNER = 'kapp-controller.carvel.dev/owner'
const RESOLVED = 'krm-variants.dev/resolved'
const RECORD = 'krm-variants.dev/last-generated'
const SELECTION = ['spec', 'packageRef', 'versionSelection']

test.each([
  ['pkg.example.com', '1.2.3', 'pkg.example.com.1.2.3'],
  ['pkg.example.com', '1.2.3-RC.1+Build_5', 'pkg.example.com.1.2.3-rc.1-build-5'],
])('the install of %s %s is named %s', (refName, version, name) => {
  expect(installName(refName, version)).toBe(name)
})

/** The objects of a Package app that requires a database under the name store, and its install with some fields of `spec`. */
function appWith(spec: object): readonly KrmObject[] {
  const dependencies = [{ package: { refName: DB, version: '>=1.0.0' }, name: 'store' }]
  return [
    packageInFile(APP, '1.0.0', { dependencies }),
    packageInstall('app', APP, { selection: { constraints: '1.0.0' }, metadata: { namespace: 'default' }, spec }),
  ]
}

/** Returns the writer for some objects, and a step on the database that the app requires; the fields of the step may be replaced. */
function setUp(objects: readonly KrmObject[]) {
  const { index, controller } = carvelReading(objects)
  const [dependent] = index.dependents
  const [requirement] = dependent?.requirements ?? []
  if (controller === undefined || dependent === undefined || requirement?.type !== 'package') throw new Error('the app requires a package')
  const parent: Parent = { name: dependent.name, requirement, dependent }
  const step = (fields: Partial<Step> = {}): Step => ({
    op: 'create',
    ecosystem: 'carvel',
    version: '1.0.0',
    name: `${DB}.1.0.0`,
    owner: 'app',
    pass: 1,
    package: requirement.package,
    parents: [parent],
    ...fields,
  })
  return { writer: controller.writer, installs: index.installs, parent, step }
}

/** Returns the object that a writer makes, which must make one. */
function madeBy(written: WrittenObject): JsonRecord {
  if ('fault' in written) throw new Error(written.fault)
  return written.object
}

const secret = (name: string) => ({ secretRef: { name } })

describe('the PackageInstall that is made for a dependency', () => {
  const HANDED = { serviceAccountName: 'app-sa', defaultNamespace: 'apps' }
  const VALUES = {
    dependencies: {
      values: [
        { refName: DB, ...secret('db') },
        { refName: 'other.example.com', ...secret('other') },
      ],
    },
  }
  const GENERATED = {
    ...HANDED,
    packageRef: { refName: DB, versionSelection: { constraints: '1.0.0' } },
    values: [secret('db')],
  }

  test('has one exact version, and the account, namespace and values of its owner, all of which are recorded', () => {
    const [, near] = appWith({})
    const { writer, step } = setUp(appWith({ ...HANDED, ...VALUES }))
    expect(writer.create(step(), near)).toEqual({
      object: {
        apiVersion: 'packaging.carvel.dev/v1alpha1',
        kind: 'PackageInstall',
        metadata: {
          name: `${DB}.1.0.0`,
          namespace: 'default',
          annotations: { [OWNER]: 'PackageInstall/app', [RESOLVED]: '1.0.0', [RECORD]: JSON.stringify({ spec: GENERATED }) },
        },
        spec: GENERATED,
      },
    })
  })

  test('has no namespace where no object is near, and takes a prerelease by its exact version', () => {
    const { writer, step } = setUp(appWith({}))
    const object = madeBy(writer.create(step({ version: '2.0.0-rc.1' }), undefined))
    expect(object).toMatchObject({ spec: { packageRef: { versionSelection: { constraints: '2.0.0-rc.1', prereleases: {} } } } })
    expect(Object.keys(asRecord(object.metadata))).toEqual(['name', 'annotations'])
  })

  test('has the values for the name of the dependency in the list', () => {
    const values = [
      { alias: 'store', ...secret('store') },
      { alias: 'other', ...secret('other') },
    ]
    const { writer, step } = setUp(appWith({ dependencies: { values } }))
    expect(writer.create(step(), undefined)).toMatchObject({ object: { spec: { values: [secret('store')] } } })
  })

  test('has the account of its owner without the values, if the owner is made in the same plan', () => {
    const { writer, step, parent } = setUp(appWith({ ...HANDED, ...VALUES }))
    const first = step()
    writer.create(first, undefined)
    const { requirement, name } = parent
    const second = writer.create(step({ owner: first.name, parents: [{ name, requirement, step: first }] }), undefined)
    expect(second).toMatchObject({ object: { metadata: { annotations: { [OWNER]: `PackageInstall/${first.name}` } }, spec: HANDED } })
    expect(second).not.toHaveProperty('object.spec.values')
  })

  test('is not written where everything that requires it says that nothing is installed', () => {
    const { writer, step } = setUp(appWith({ dependencies: { install: false } }))
    expect(writer.create(step(), undefined)).toEqual({ fault: 'everything that requires it says `install: false`' })
  })

  test('is not written without a PackageInstall that requires it', () => {
    const { writer, step, parent } = setUp(appWith({}))
    const { requirement, name } = parent
    const fault = { fault: 'no PackageInstall requires it whose service account could install it' }
    expect(writer.create(step({ parents: [] }), undefined)).toEqual(fault)
    expect(writer.create(step({ parents: [{ name, requirement }] }), undefined)).toEqual(fault)
    expect(writer.create(step({ parents: [{ name, requirement, step: step({ name: 'not written' }) }] }), undefined)).toEqual(fault)
  })
})

describe('the changes of an install of a person', () => {
  const own = (selection: object) => packageInstall('db', DB, { selection })
  const changes = (selection: object, version: string) => {
    const { writer, installs, step } = setUp([...appWith({}), own(selection)])
    return writer.update(step({ op: 'update', version, install: installs[1] }))
  }
  const constraints = (value: string) => ({ path: [...SELECTION, 'constraints'], value })

  test('are its constraints alone, where its version is another', () => {
    expect(changes({ constraints: '1.0.0' }, '2.0.0')).toEqual([constraints('2.0.0')])
    expect(changes({ constraints: '1.0.0' }, '1.0.0')).toEqual([])
  })

  test('admit prereleases for a prerelease, unless the install admits some', () => {
    expect(changes({ constraints: '1.0.0' }, '2.0.0-rc.1')).toEqual([
      constraints('2.0.0-rc.1'),
      { path: [...SELECTION, 'prereleases'], value: {} },
    ])
    expect(changes({ constraints: '1.0.0', prereleases: { identifiers: ['rc'] } }, '2.0.0-rc.1')).toEqual([constraints('2.0.0-rc.1')])
  })

  test('are none for a step without an install, or with one of another list', () => {
    const { writer, step } = setUp(appWith({}))
    const [foreign] = setUp([...appWith({}), own({ constraints: '1.0.0' })]).installs
    expect(writer.update(step({ op: 'update', version: '2.0.0' }))).toEqual([])
    expect(writer.update(step({ op: 'update', version: '2.0.0', install: foreign }))).toEqual([])
  })
})

describe('the changes of a generated install', () => {
  const annotation = (key: string, value: string) => ({ path: ['metadata', 'annotations', key], value })
  const generated = (account: string) => ({
    serviceAccountName: account,
    packageRef: { refName: DB, versionSelection: { constraints: '1.0.0' } },
  })
  const recordOf = (spec: object) => JSON.stringify({ spec })

  /** Returns the changes by a step of the database, which was made for the owner, with a record of what was generated or without one. */
  function changes(fields: Partial<Step>, { owner = 'app', record = '', account = 'app-sa' } = {}) {
    const annotations = { [OWNER]: `PackageInstall/${owner}`, [RESOLVED]: '1.0.0', ...(record !== '' && { [RECORD]: record }) }
    const db = packageInstall('db', DB, {
      selection: { constraints: '1.0.0' },
      metadata: { annotations },
      spec: { serviceAccountName: account },
    })
    const { writer, installs, step } = setUp([...appWith({ serviceAccountName: 'app-sa' }), db])
    const install: Install | undefined = installs.find(({ name }) => name === 'db')
    return writer.update(step({ op: 'update', install, ...fields }))
  }

  test('are its version, its mark and its record', () => {
    const after = { ...generated('app-sa'), packageRef: { refName: DB, versionSelection: { constraints: '2.0.0' } } }
    const found = changes({ version: '2.0.0' }, { record: recordOf(generated('app-sa')) })
    expect(found.slice(0, 1)).toEqual([annotation(RESOLVED, '2.0.0')])
    expect(JSON.parse(String(found[1]?.value))).toEqual({ spec: after })
    expect(found.slice(2)).toEqual([{ path: [...SELECTION, 'constraints'], value: '2.0.0' }])
  })

  test('are none where it is as it should be', () => {
    expect(changes({}, { record: recordOf(generated('app-sa')) })).toEqual([])
  })

  test('are the account of a new owner, but not over the account that a person set', () => {
    const before = { owner: 'gone', record: recordOf(generated('gone-sa')) }
    const marks = [annotation(OWNER, 'PackageInstall/app'), annotation(RECORD, recordOf(generated('app-sa')))]
    expect(changes({}, { ...before, account: 'gone-sa' })).toEqual([...marks, { path: ['spec', 'serviceAccountName'], value: 'app-sa' }])
    expect(changes({}, { ...before, account: 'mine' })).toEqual(marks)
  })

  test('are not those of an owner that does not require it, and of none where the owner stays', () => {
    const record = recordOf(generated('old-sa'))
    expect(changes({ owner: 'other' }, { record, account: 'old-sa' })).toEqual([annotation(OWNER, 'PackageInstall/other')])
    expect(changes({ owner: 'app' }, { record, account: 'old-sa' })).toEqual([])
    expect(changes({ owner: undefined, parents: [] }, { record, account: 'old-sa' })).toEqual([])
  })

  test('make the record of an install of an older version, if no person changed it since', () => {
    expect(changes({}).map(({ path }) => path)).toEqual([['metadata', 'annotations', RECORD]])
    expect(changes({}, { account: 'mine' })).toEqual([])
    expect(changes({}, { record: '{' })).toEqual([])
  })
})
