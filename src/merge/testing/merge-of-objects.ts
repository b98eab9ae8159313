import { expect } from 'vitest'
import { writtenObject } from '../../../testdata/written-objects.ts'
import { formatResult } from '../../result.ts'
import { mergeObject } from '../merge-object.ts'

/** Merges three texts of one object without a result. Returns the text of the merged object. */
export function merge(base: string, theirs: string, ours: string) {
  const merged = mergeObject({ base: writtenObject(base), theirs: writtenObject(theirs), ours: writtenObject(ours) })
  expect(merged.results.map(formatResult)).toEqual([])
  return merged.object.toText()
}

/** A ConfigMap with comments, quotes and forms of people. */
export const CONFIG = `# The licence.

apiVersion: v1
kind: ConfigMap
metadata:
  name: conf # kpt-set: \${name}
data:
  # about a
  a: "1" # of a
  b:   'two'

  c: 0644
  list: [a, b] # kpt-set: \${list}
  text: |
    one
    two
`

/** A Pod with containers. */
export const POD = `apiVersion: v1
kind: Pod
metadata: # kpt-merge: ns/pod
  name: pod
spec:
  containers:
  # the one
  - name: a
    image: a:1 # kpt-set: a:\${tag}
    args: [--a]
  - name: b
    image: b:1
`
