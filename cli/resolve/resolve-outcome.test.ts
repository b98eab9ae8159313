import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkDependencies } from '../../functions/check-dependencies/check-dependencies.ts'
import { resolveDependencies } from '../../functions/resolve-dependencies/resolve-dependencies.ts'
import { KrmObject } from '../../src/resource-list/krm-object.ts'
import { ResourceList } from '../../src/resource-list/resource-list.ts'
import { hasErrors, type Result } from '../../src/result.ts'
import { resultsOf } from '../../src/run.ts'

const NAMES = ['a', 'b', 'c', 'd']
const NAME = fc.constantFrom(...NAMES)

/** A version in a Catalog: what it requires, and the definition that it brings, if any. */
const VERSION = fc.record({
  requires: fc.array(fc.tuple(NAME, fc.constantFrom('>=v1.0.0', '>=v1.1.0', '<v1.1.0')), { maxLength: 2 }),
  brings: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
})

const CATALOG = fc.record(Object.fromEntries(NAMES.map((name) => [name, fc.tuple(VERSION, VERSION)])))

/** Installed packages by cluster. */
const INSTALLED = fc.array(
  fc.record({ cluster: fc.constantFrom('ber', 'ham'), name: NAME, version: fc.constantFrom('v1.0.0', 'v1.1.0') }),
  { minLength: 1, maxLength: 4 },
)

function catalogText(
  catalog: Readonly<
    Record<string, readonly { readonly requires: readonly (readonly [string, string])[]; readonly brings: string | undefined }[]>
  >,
): string {
  const packages = Object.entries(catalog).map(([name, versions]) => ({
    ecosystem: 'crossplane',
    id: `reg.example.org/x/${name}`,
    kind: 'Provider',
    versions: versions.map(({ requires, brings }, at) => ({
      version: `v1.${at}.0`,
      dependencies: requires
        .filter(([other], i) => other !== name && requires.findIndex(([each]) => each === other) === i)
        .map(([other, version]) => ({ provider: `reg.example.org/x/${other}`, version })),
      ...(brings !== undefined && {
        brings: [{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name: `${brings}.g.org` }],
      }),
    })),
  }))
  return JSON.stringify({ apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'c' }, spec: { packages } })
}

function objectAt(text: string, path: string): KrmObject {
  return KrmObject.fromDocument(text, { path, index: 0, line: 1 })
}

const FLEET = ['ber', 'ham'].map((name) =>
  objectAt(
    `apiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: ${name}}\nspec: {deployment: true}\n`,
    `${name}.yaml`,
  ),
)
const OPTIONS = 'apiVersion: fn.krm-variants.dev/v1alpha1\nkind: RenderVariants\nmetadata: {name: r}\nspec: {out: packages}\n'

/** Returns the errors of a check: the rule, and where it is. */
function errorsOf(list: ResourceList): readonly string[] {
  const checked = ResourceList.of(list.items)
  checkDependencies(checked)
  return checked.results.filter(({ severity }) => severity === 'error').map(keyOf)
}

function keyOf({ tags }: Result): string {
  return [tags.rule, tags.package, tags.dependency, tags.cluster].join(' ')
}

test('after a resolve the check has no error that it did not have before', () => {
  let written = 0
  fc.assert(
    fc.property(CATALOG, INSTALLED, (catalog, installed) => {
      const items = () => [
        ...FLEET,
        objectAt(OPTIONS, 'render.yaml'),
        objectAt(catalogText(catalog), 'catalog.yaml'),
        ...installed.map(({ cluster, name, version }) =>
          objectAt(
            `apiVersion: pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: ${name}}\nspec: {package: "reg.example.org/x/${name}:${version}"}\n`,
            `packages/${cluster}/${name}/p.yaml`,
          ),
        ),
      ]
      const before = new Set(errorsOf(ResourceList.of(items())))
      const list = ResourceList.of(items())
      if (hasErrors(resultsOf(resolveDependencies, list))) return
      written += list.items.length > items().length ? 1 : 0
      expect(errorsOf(list).filter((error) => !before.has(error))).toEqual([])
    }),
    { numRuns: 100 },
  )
  expect(written).toBeGreaterThan(0)
})
