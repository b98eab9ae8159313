import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { resolveDependencies } from '../functions/resolve-dependencies/resolve-dependencies.ts'
import { evaluate } from '../src/run.ts'
import { printResourceList } from './conformance-runner/wire.ts'
import { unitsOf } from './processor-time.ts'

// Units of work, of which a processor does 28 a second when nothing else runs.
const TWO_SECONDS = 57
const TEN_SECONDS = 285

const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number)

/**
 * In each chain more pigeons than holes: pigeon n in hole h is version 1.h.0 of the pigeon, which requires version 1.n.0 of the hole. A
 * ClusterPackage for each chain requires all its pigeons.
 */
function pigeons(chains: number, holes: number): object[] {
  const packages = numbers(chains).flatMap((chain) => {
    const pigeon = (number: number): object => ({
      ecosystem: 'glasskube',
      id: `chain-${chain}-pigeon-${number}`,
      versions: numbers(holes).map((hole) => ({
        version: `1.${hole}.0`,
        dependencies: [{ name: `chain-${chain}-hole-${hole}`, version: `1.${number}.0` }],
      })),
    })
    const hole = (number: number): object => ({
      ecosystem: 'glasskube',
      id: `chain-${chain}-hole-${number}`,
      versions: numbers(holes + 1).map((version) => ({ version: `1.${version}.0`, dependencies: [] })),
    })
    const root = {
      ecosystem: 'glasskube',
      id: `chain-${chain}`,
      versions: [{ version: '1.0.0', dependencies: numbers(holes + 1).map((number) => ({ name: `chain-${chain}-pigeon-${number}` })) }],
    }
    return [root, ...numbers(holes + 1).map(pigeon), ...numbers(holes).map(hole)]
  })
  const installs = numbers(chains).map((chain) => ({
    apiVersion: 'packages.glasskube.dev/v1alpha1',
    kind: 'ClusterPackage',
    metadata: { name: `chain-${chain}` },
    spec: { packageInfo: { name: `chain-${chain}`, version: '1.0.0' } },
  }))
  return [{ apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'Catalog', metadata: { name: 'known' }, spec: { packages } }, ...installs]
}

function resolve(objects: readonly object[]) {
  const config = { apiVersion: 'fn.krm-variants.dev/v1alpha1', kind: 'ResolveDependencies', spec: { universe: 'closed' } }
  const items = objects.map((object, i) => ({ object, path: `object-${i}.yaml`, index: 0 }))
  const input = printResourceList(items, config)
  const { value, units } = unitsOf(() => evaluate(resolveDependencies, input))
  const results: { severity: string; message: string; tags: { rule: string } }[] = parse(value.stdout).results
  return { errors: results.filter(({ severity }) => severity === 'error'), units }
}

test('ten chains of seven pigeons in six holes are told as impossible', () => {
  const { errors, units } = resolve(pigeons(10, 6))
  expect(errors.map(({ tags }) => tags.rule)).toEqual(numbers(10).map(() => 'unresolvable'))
  expect(units).toBeLessThan(TWO_SECONDS)
})

test('what exceeds maxSteps ends, and says so', () => {
  const { errors, units } = resolve(pigeons(10, 14))
  expect(errors.length).toBeGreaterThan(0)
  for (const { tags, message } of errors) {
    expect(tags.rule).toBe('resolution-exceeded')
    expect(message).toMatch(/^no versions were found in 1000000 steps that meet what chain-\d requires; `maxSteps` limits the search$/)
  }
  expect(units).toBeLessThan(TEN_SECONDS)
})
