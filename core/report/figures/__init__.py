"""The drawings of the report: vector figures by matplotlib, which is imported only when something is drawn."""
