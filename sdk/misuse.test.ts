import { expect, test } from 'vitest'
import { evaluate, evaluateAsync } from './evaluate.ts'

const LIST = 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: a}\n'

test.each(['set', 'get', 'delete'] as const)(
  'plain JavaScript that gives `%s` a path as one text is told how a path is written',
  (name) => {
    const { stderr, exitCode } = evaluate(({ items: [item] }) => item && Reflect.apply(item[name], item, ['spec.replicas', 3]), LIST)
    expect({ stderr, exitCode }).toEqual({
      stderr: 'Pod a: error: the path must be a list of keys and indexes, such as ["spec","replicas"], got "spec.replicas" [field-path]\n',
      exitCode: 1,
    })
  },
)

test('what is no function is refused without a trace', async () => {
  const refused = { stdout: '', stderr: 'the first argument must be a function that changes the list, got undefined\n', exitCode: 1 }
  expect(Reflect.apply(evaluate, undefined, [undefined, LIST])).toEqual(refused)
  expect(await Reflect.apply(evaluateAsync, undefined, [undefined, LIST])).toEqual(refused)
})
