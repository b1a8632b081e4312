"""Experiments over many deals: run, kept, judged and compared. pandas and pyarrow are imported where used."""
