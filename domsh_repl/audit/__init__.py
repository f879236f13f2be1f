"""The accessibility rules: pure functions over what is known of a page's elements.

``elements`` are the facts, ``rules`` the one list of rules (docs/accessibility.md describes each),
``checker`` runs them, ``baseline`` tells old findings from new ones. No I/O.
"""
