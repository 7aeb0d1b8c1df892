import { Component, type ComponentType, type FunctionComponent, type JSX } from 'preact';

/** `View`, drawn again only when a prop is another value. What keeps its identity never repaints. */
export function memo<Props extends object>(View: FunctionComponent<Props>): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const keys = new Set([...Object.keys(next), ...Object.keys(this.props)]);
      return [...keys].some((key) => next[key as keyof Props] !== (this.props as Props)[key as keyof Props]);
    }
    override render(): JSX.Element {
      return <View {...(this.props as Props)} />;
    }
  };
}
