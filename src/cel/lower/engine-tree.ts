import { isCelUint, type plan } from '@bufbuild/cel'
import type { Literal } from '../expression.ts'

/** A tree as the engine takes it: cel.expr.Expr of cel-spec. */
export type EngineTree = Extract<Parameters<typeof plan>[1], { readonly $typeName: 'cel.expr.Expr' }>
type EngineKind = EngineTree['exprKind']
type EngineConstant = Extract<EngineKind, { case: 'constExpr' }>['value']['constantKind']

/** Makes nodes with ids, and remembers the place in the expression that each stands for. */
export interface TreeBuilder {
  readonly offsets: number[]
  constant(offset: number, value: Literal): EngineTree
  name(offset: number, name: string): EngineTree
  call(offset: number, name: string, args: readonly EngineTree[]): EngineTree
  list(offset: number, elements: readonly EngineTree[]): EngineTree
  loop(offset: number, parts: LoopParts): EngineTree
}

export interface LoopParts {
  readonly variable: string
  readonly accumulator: string
  readonly range: EngineTree
  readonly initial: EngineTree
  readonly condition: EngineTree
  readonly step: EngineTree
  readonly result: EngineTree
}

export function treeBuilder(): TreeBuilder {
  const offsets: number[] = []
  const node = (offset: number, exprKind: EngineKind): EngineTree => {
    offsets.push(offset)
    return { $typeName: 'cel.expr.Expr', id: BigInt(offsets.length - 1), exprKind }
  }
  return {
    offsets,
    constant: (offset, value) =>
      node(offset, { case: 'constExpr', value: { $typeName: 'cel.expr.Constant', constantKind: constantKind(value) } }),
    name: (offset, name) => node(offset, { case: 'identExpr', value: { $typeName: 'cel.expr.Expr.Ident', name } }),
    call: (offset, name, args) =>
      node(offset, { case: 'callExpr', value: { $typeName: 'cel.expr.Expr.Call', function: name, args: [...args] } }),
    list: (offset, elements) =>
      node(offset, { case: 'listExpr', value: { $typeName: 'cel.expr.Expr.CreateList', elements: [...elements], optionalIndices: [] } }),
    loop: (offset, parts) => node(offset, { case: 'comprehensionExpr', value: comprehension(parts) }),
  }
}

function comprehension(parts: LoopParts): Extract<EngineKind, { case: 'comprehensionExpr' }>['value'] {
  return {
    $typeName: 'cel.expr.Expr.Comprehension',
    iterVar: parts.variable,
    iterVar2: '',
    iterRange: parts.range,
    accuVar: parts.accumulator,
    accuInit: parts.initial,
    loopCondition: parts.condition,
    loopStep: parts.step,
    result: parts.result,
  }
}

function constantKind(value: Literal): EngineConstant {
  switch (typeof value) {
    case 'boolean':
      return { case: 'boolValue', value }
    case 'bigint':
      return { case: 'int64Value', value }
    case 'number':
      return { case: 'doubleValue', value }
    case 'string':
      return { case: 'stringValue', value }
    default:
      if (value === null) return { case: 'nullValue', value: 0 }
      return isCelUint(value) ? { case: 'uint64Value', value: value.value } : { case: 'bytesValue', value }
  }
}
