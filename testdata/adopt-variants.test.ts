import { expect, test } from 'vitest'
import { fanOut } from '../functions/fan-out/fan-out.ts'
import { adoptVariants } from '../src/fleet/adopt-variants.ts'
import { KrmObject } from '../src/resource-list/krm-object.ts'
import { ResourceList } from '../src/resource-list/resource-list.ts'

const UID = '0c9d8f7e-5b1a-4c3d-9e2f-1a2b3c4d5e6f'

function setWith(uid: string): KrmObject {
  return KrmObject.fromDocument(`apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: web, namespace: default${uid === '' ? '' : `, uid: ${uid}`}}
spec:
  upstream: {repo: catalog, package: web, revision: 3, workspaceName: v3}
  targets:
  - repositories: [{name: north}, {name: south}]
`)
}

/** Returns the variants of a list as values, without our annotation, which Porch does not write. */
function variantsOf(list: ResourceList): readonly unknown[] {
  return list.items
    .filter(({ kind }) => kind === 'PackageVariant')
    .map((object) => {
      const { metadata, ...rest } = object.toJson()
      return { ...rest, metadata: { ...Object(metadata), annotations: undefined } }
    })
}

test("variants that were made without a uid and adopted equal those of the set with the cluster's uid", () => {
  const without = ResourceList.of([setWith('')])
  fanOut(without)
  adoptVariants(without, [{ name: 'web', namespace: 'default', uid: UID }])
  const withUid = ResourceList.of([setWith(UID)])
  fanOut(withUid)
  expect(variantsOf(without)).toEqual(variantsOf(withUid))
  expect(variantsOf(without)).toHaveLength(2)
})

test('fan-out leaves adopted variants as they are, with and without the uid in the set; a second adoption changes nothing', () => {
  const list = ResourceList.of([setWith('')])
  fanOut(list)
  adoptVariants(list, [{ name: 'web', namespace: 'default', uid: UID }])
  const texts = list.items.slice(1).map((object) => object.toText())
  for (const uid of ['', UID]) {
    const again = ResourceList.of([setWith(uid), ...texts.map((text) => KrmObject.fromDocument(text))])
    fanOut(again)
    adoptVariants(again, [{ name: 'web', namespace: 'default', uid: UID }])
    expect(again.items.slice(1).map((object) => object.toText())).toEqual(texts)
  }
})
