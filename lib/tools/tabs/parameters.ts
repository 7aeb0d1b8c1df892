export const tab = { type: 'integer', description: 'Id from list_tabs; else the tab in front' };

export const url = { type: 'string', pattern: '^https?://[^/?#]', maxLength: 8_000 };
