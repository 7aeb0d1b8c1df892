import { Component, type ComponentType, type FunctionComponent, type JSX } from 'preact';

/** `View`, drawn again only when a prop is another value. What keeps its identity never repaints. */
export function memo<Props extends object>(View: FunctionComponent<Props>): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const before = this.props as Props;
      for (const key in next) if (next[key] !== before[key]) return true;
      for (const key in before) if (!(key in next)) return true;
      return false;
    }
    override render(): JSX.Element {
      return <View {...(this.props as Props)} />;
    }
  };
}
